import { Inject, Injectable } from '@nestjs/common';
import { inTransaction, POOL } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { type FrameRequest } from '../realtime/frame-request';
import { type Entry } from '../streams/entry';
import { Streams } from '../streams/streams';
import { storeChanges, type NewChange } from '../streams/streams.store';
import { MessageQueue } from './message-queue';

/**
 * Makes changes one after another, in the turn of the message queue and each in a transaction of its own, and tells of
 * them once they are durable: what clients hear of changes and of messages comes in the order in which it became true.
 */
@Injectable()
export class Changes {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly queue: MessageQueue,
    private readonly streams: Streams,
  ) {}

  /**
   * @param change judges the change under the locks it needs, and makes it; returns what is told of it
   * @returns what was told
   */
  make(cause: FrameRequest | undefined, change: (client: ClientBase) => Promise<NewChange[]>): Promise<Entry[]> {
    return this.enter(cause, async (client) => storeChanges(client, await change(client)));
  }

  /** As `make`, where the change has stored its entries itself. */
  enter(cause: FrameRequest | undefined, change: (client: ClientBase) => Promise<Entry[]>): Promise<Entry[]> {
    return this.queue.inTurn(async () => {
      const entries = await inTransaction(this.pool, change);
      for (const entry of entries) this.streams.add(entry, cause);
      return entries;
    });
  }
}
