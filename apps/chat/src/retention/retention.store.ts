import { Injectable } from '@nestjs/common';
import { sql, Statement } from '@waggle/service';
import { type ClientBase } from 'pg';
import { maxCursorAgeMs } from '../delivery/cursor';
import { commitLogMs } from '../log/log.store';
import { opaqueLimit } from '../opaque-limit';

/** Rows that one statement removes at most: some ten milliseconds, so that nothing else waits for longer. */
export const batchMost = 1_000;
/** Kept longer than need be, for clocks differ. */
const spareMs = 60 * 60_000;
/** Conversations that one statement looks at for old messages. */
const maxConversations = 100;
/** The instant before which messages are old. */
const before = `date_trunc('day', now() - make_interval(hours => 24 * $1::int), 'UTC')`;

const claimRetention = new Statement({
  name: 'claim-retention',
  // Other locks of this kind have the names of two accounts.
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended('retention', 0)) AS claimed`,
  parameters: {},
  columns: { claimed: sql.notNull(sql.bool) },
});

const removeCommits = new Statement({
  name: 'remove-commits',
  text: `
    DELETE FROM commit_log WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM commit_log WHERE at < now() - interval '${commitLogMs} ms' ORDER BY at LIMIT ${batchMost}))`,
  parameters: {},
  columns: {},
});

const removeEvents = new Statement({
  name: 'remove-events',
  text: `
    DELETE FROM event WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM event WHERE at < now() - interval '${maxCursorAgeMs + spareMs} ms' ORDER BY at LIMIT ${batchMost}))`,
  parameters: {},
  columns: {},
});

const removeSessions = new Statement({
  name: 'remove-sessions',
  text: `
    DELETE FROM session WHERE id = ANY(ARRAY(
      SELECT id FROM session WHERE expires_at < now() - interval '1 day'
      UNION ALL SELECT id FROM session WHERE revoked_at < now() - interval '1 day'
      LIMIT ${batchMost}))`,
  parameters: {},
  columns: {},
});

const removeMessages = new Statement({
  name: 'remove-messages',
  // The times of a conversation grow with the places: of its first messages the old ones come first.
  text: `
    WITH due AS MATERIALIZED (
      SELECT id, kept_seq FROM conversation WHERE kept_since < ${before} ORDER BY kept_since LIMIT ${maxConversations}
    ), old AS MATERIALIZED (
      SELECT due.id, oldest.seq
      FROM due
      CROSS JOIN LATERAL (
        SELECT seq, sent_at FROM message
        WHERE conversation_id = due.id AND seq > due.kept_seq ORDER BY seq LIMIT ${opaqueLimit(batchMost)}
      ) oldest
      WHERE oldest.sent_at < ${before}
      LIMIT ${batchMost}
    )
    DELETE FROM message m USING old WHERE m.conversation_id = old.id AND m.seq = old.seq`,
  parameters: { days: sql.int4 },
  columns: {},
});

const noteKept = new Statement({
  name: 'note-kept',
  // A conversation that is being written to is left to the next time: nobody who writes waits for this, and it for nobody. One
  // without messages is due again when what is being written now is old; none is written for so long as a minute.
  text: `
    WITH due AS MATERIALIZED (
      SELECT id, kept_seq FROM conversation WHERE kept_since < ${before} ORDER BY kept_since LIMIT ${maxConversations}
      FOR NO KEY UPDATE SKIP LOCKED
    ), kept AS MATERIALIZED (
      SELECT due.id, coalesce(oldest.seq - 1, due.kept_seq) AS seq, coalesce(oldest.sent_at, now() - interval '1 minute') AS since
      FROM due
      LEFT JOIN LATERAL (
        SELECT seq, sent_at FROM message WHERE conversation_id = due.id AND seq > due.kept_seq ORDER BY seq LIMIT 1
      ) oldest ON true
    )
    UPDATE conversation c SET kept_seq = kept.seq, kept_since = kept.since
    FROM kept WHERE c.id = kept.id AND (c.kept_seq, c.kept_since) IS DISTINCT FROM (kept.seq, kept.since)`,
  parameters: { days: sql.int4 },
  columns: {},
});

/** Removes rows that are old, a batch at a time and within a transaction that has claimed it. */
@Injectable()
export class RetentionStore {
  /**
   * Whether nobody else removes rows at this moment, at whichever instance; then nobody else does until the transaction ends.
   * Within it, so it holds behind a pooler too that gives each transaction another connection.
   */
  async claim(client: ClientBase): Promise<boolean> {
    return (await claimRetention.find(client, {}))?.claimed === true;
  }

  /** What instances ask for a second after it was committed. @returns how many went */
  removeCommits(client: ClientBase): Promise<number> {
    return removeCommits.execute(client, {});
  }

  /** Beyond what a cursor is good for. @returns how many went */
  removeEvents(client: ClientBase): Promise<number> {
    return removeEvents.execute(client, {});
  }

  /** Those that ended a day ago: until then instances may still have to hear of it. @returns how many went */
  removeSessions(client: ClientBase): Promise<number> {
    return removeSessions.execute(client, {});
  }

  /**
   * Messages that were sent before the day that so many days ago was, in UTC. Messages are not found by their time, for which
   * an index of each would be needed, but by their conversation: `kept_since` says in which there may be one. By whole days a
   * conversation is looked at once a day, however many messages of it become too old meanwhile.
   *
   * @returns how many went, and of how many conversations it was noted where to go on; both 0 where there is nothing to do
   */
  async removeMessages(client: ClientBase, days: number): Promise<{ removed: number; noted: number }> {
    const removed = await removeMessages.execute(client, { days });
    const noted = await noteKept.execute(client, { days });
    return { removed, noted };
  }
}
