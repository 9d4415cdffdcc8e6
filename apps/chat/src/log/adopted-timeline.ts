import { EventEmitter } from 'node:events';
import { type ClientBase } from 'pg';
import { ChatError } from '../errors';
import { readTimeline } from './timeline';

/**
 * The timeline of the database that this instance works with. Connections to another one are rejected until the failover is handled:
 * otherwise clients could receive new entries on a connection on which they have received entries that the database has lost.
 */
export class AdoptedTimeline extends EventEmitter<{ differs: [] }> {
  private id: string | undefined;

  adopt(id: string) {
    this.id = id;
  }

  /**
   * Compares the timeline of a new connection, and emits `differs` if it is another one. Accepts every connection before a timeline is
   * adopted.
   *
   * @throws ChatError `unavailable`
   */
  async verify(client: ClientBase): Promise<void> {
    if (this.id === undefined || (await readTimeline(client)).id === this.id) return;
    this.emit('differs');
    throw new ChatError('unavailable', 'another database is taking over', { retryAfterMs: 1_000 });
  }
}
