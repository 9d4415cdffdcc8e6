import { EventEmitter } from 'node:events';
import { type ClientBase } from 'pg';
import { ChatError } from '../errors';
import { readTimeline } from './timeline';

/**
 * The PostgreSQL timeline that this instance works with. A new database connection on a different timeline is rejected
 * until `Failover` has handled the change. Otherwise a client could receive entries of the new database on a WebSocket
 * after entries that this database lacks. `TimelineStore`'s pool is exempt.
 */
export class AdoptedTimeline extends EventEmitter<{ mismatch: [] }> {
  private id: string | undefined;

  adopt(id: string): void {
    this.id = id;
  }

  /**
   * Called for each new database connection (`verify` of `DatabaseSettings`). Rejects a connection whose timeline is
   * not the adopted one, and emits `mismatch`; `Failover` then checks at once. Accepts every connection until a
   * timeline is adopted.
   *
   * @throws ChatError `unavailable` if the timeline is not the adopted one
   * @throws DatabaseError while the server is a standby
   */
  async verify(client: ClientBase): Promise<void> {
    if (this.id === undefined || (await readTimeline(client)).id === this.id) return;
    this.emit('mismatch');
    throw new ChatError('unavailable', 'another database is taking over', { retryAfterMs: 1_000 });
  }
}
