import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { inTransaction, POOL } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { type FrameRequest } from '../realtime/frame-request';
import { AccountLocked } from '../relations/locked-pair';
import { type Entry } from '../streams/entry';
import { Streams } from '../streams/streams';
import { storeChanges, type NewChange } from '../streams/streams.store';
import { OwnCommits } from './own-commits';

/** Delays before the retries of a change that finds an account locked, in ms. Between attempts it holds no database connection. */
const retryDelaysMs: readonly number[] = [20, 50, 100, 200];

/**
 * Makes changes, each in a transaction of its own, and tells of them once they are durable. A change comes after the messages
 * that were sent before it on the same connection; where changes and messages of different connections meet, they take their
 * places under the lock of what they change, and are told in the order of these.
 */
@Injectable()
export class Changes {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly commits: OwnCommits,
    private readonly streams: Streams,
  ) {}

  /**
   * @param change judges the change under the locks it needs, and makes it; returns what is told of it
   * @returns what was told
   */
  make(cause: FrameRequest | undefined, change: (client: ClientBase) => Promise<NewChange[]>): Promise<Entry[]> {
    return this.enter(cause, async (client) => storeChanges(client, await change(client)));
  }

  /** As `make`, where the change has stored its entries itself. A change that throws `AccountLocked` is tried again in a new transaction. */
  async enter(cause: FrameRequest | undefined, change: (client: ClientBase) => Promise<Entry[]>): Promise<Entry[]> {
    await cause?.earlierMessages();
    for (const retryDelayMs of retryDelaysMs) {
      try {
        return await this.attempt(cause, change);
      } catch (error) {
        if (!(error instanceof AccountLocked)) throw error;
        await delay(retryDelayMs);
      }
    }
    return this.attempt(cause, change);
  }

  private async attempt(
    cause: FrameRequest | undefined,
    change: (client: ClientBase) => Promise<Entry[]>,
  ): Promise<Entry[]> {
    const told = this.commits.begin();
    try {
      const entries = await inTransaction(this.pool, change);
      for (const entry of entries) this.streams.add(entry, cause);
      return entries;
    } finally {
      told();
    }
  }
}
