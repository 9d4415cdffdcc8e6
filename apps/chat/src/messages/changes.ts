import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, type Pool } from 'pg';
import { POOL, inTransaction } from '../database';
import { Events, type ChatEvent } from '../realtime/events';
import { type FrameRequest } from '../realtime/frame-request';
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
    private readonly events: Events,
  ) {}

  /**
   * @param change judges the change under the locks it needs, and makes it; returns what is told of it
   * @returns what was told
   */
  make(cause: FrameRequest | undefined, change: (client: ClientBase) => Promise<ChatEvent[]>): Promise<ChatEvent[]> {
    return this.queue.inTurn(async () => {
      const told = await inTransaction(this.pool, change);
      for (const event of told) this.events.publish(event, cause);
      return told;
    });
  }
}
