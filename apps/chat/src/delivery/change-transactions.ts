import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { inTransaction, POOL } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { AccountPairsLocked } from '../errors';
import { appendChanges, type NewChange } from '../log/append-changes';
import { type Entry } from '../log/entry';
import { type FrameRequest } from '../realtime/frame-request';
import { Delivery } from './delivery';

/**
 * Delays before a change that threw `AccountPairsLocked` is retried, in ms. Between attempts it holds no database
 * connection.
 */
const retryDelaysMs: readonly number[] = [20, 50, 100, 200];

/**
 * Makes changes, each in a transaction of its own, and delivers them once they are committed. A change follows the
 * messages that were sent before it on the same connection. A change that throws `AccountPairsLocked` is retried.
 */
@Injectable()
export class ChangeTransactions {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly delivery: Delivery,
  ) {}

  /**
   * @param change authorizes the change under the locks that it needs, makes it, and returns what to append to the log
   * @returns the entries
   */
  make(
    origin: FrameRequest | undefined,
    change: (client: ClientBase) => Promise<NewChange[]>,
  ): Promise<readonly Entry[]> {
    return this.commit(origin, async (client) => appendChanges(client, await change(client)));
  }

  /** Does the same as `make` for a change that appends its entries itself. */
  async commit(
    origin: FrameRequest | undefined,
    change: (client: ClientBase) => Promise<readonly Entry[]>,
  ): Promise<readonly Entry[]> {
    await origin?.backgroundWorkDone();
    for (let attempt = 0; ; attempt += 1) {
      try {
        const committed = inTransaction(this.pool, change).then((entries) => {
          this.delivery.deliverCommitted(entries, origin === undefined ? [] : [origin]);
          return entries;
        });
        return await this.delivery.track(committed);
      } catch (error) {
        const retryDelayMs = retryDelaysMs[attempt];
        if (!(error instanceof AccountPairsLocked) || retryDelayMs === undefined) throw error;
        await delay(retryDelayMs);
      }
    }
  }
}
