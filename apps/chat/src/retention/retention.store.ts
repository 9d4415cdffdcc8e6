import { Injectable } from '@nestjs/common';
import { sql, Statement } from '@waggle/service';
import { type ClientBase } from 'pg';
import { maxCursorAgeMs } from '../delivery/cursor';
import { commitRetentionMs } from '../log/log.store';
import { opaqueLimit } from '../opaque-limit';
import { maxUnindexedMs } from '../search/search-index.store';

/**
 * Maximum number of rows that a statement deletes: about ten milliseconds, which bounds for how long it blocks others.
 */
export const batchRows = 1_000;
/** A margin for differences between the clocks of the instances and of PostgreSQL. */
const clockMarginMs = 60 * 60_000;
/** Maximum number of conversations that a statement searches for old messages. */
const maxConversations = 100;
/** SQL for the retention limit: messages before this time are expired. */
const messagesExpireBefore = `date_trunc('day', now() - make_interval(hours => 24 * $1::int), 'UTC')`;

/** Takes the lock if no other transaction has it. */
const lockRetention = new Statement({
  name: 'lock-retention',
  // Not the lock of a pair (`locked-pair.ts`), whose text has a space.
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended('retention', 0)) AS locked`,
  parameters: {},
  columns: { locked: sql.notNull(sql.bool) },
});

/** Deletes old commits, but keeps the ones that the search has not indexed, for `maxUnindexedMs` at most. */
const removeCommits = new Statement({
  name: 'remove-commits',
  text: `
    DELETE FROM commit_log WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM commit_log
      WHERE at < now() - interval '${commitRetentionMs} ms'
        -- A minute more than the search index lacks, since clocks may differ.
        AND at < greatest((SELECT coalesce(indexed_until, 'infinity') - interval '1 minute' FROM search_progress),
                          now() - interval '${maxUnindexedMs} ms')
      ORDER BY at LIMIT ${batchRows}))`,
  parameters: {},
  columns: {},
});

/** Deletes entries of changes that no valid cursor precedes. */
const removeEvents = new Statement({
  name: 'remove-events',
  text: `
    DELETE FROM event WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM event WHERE at < now() - interval '${maxCursorAgeMs + clockMarginMs} ms' ORDER BY at LIMIT ${batchRows}))`,
  parameters: {},
  columns: {},
});

/** Deletes sessions that ended a day ago. */
const removeSessions = new Statement({
  name: 'remove-sessions',
  text: `
    DELETE FROM session WHERE id = ANY(ARRAY(
      SELECT id FROM session WHERE expires_at < now() - interval '1 day'
      UNION ALL SELECT id FROM session WHERE revoked_at < now() - interval '1 day'
      LIMIT ${batchRows}))`,
  parameters: {},
  columns: {},
});

const removeConversationChanges = new Statement({
  name: 'remove-conversation-changes',
  text: `
    DELETE FROM conversation_change WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM conversation_change WHERE at < ${messagesExpireBefore} ORDER BY at LIMIT ${batchRows}))`,
  parameters: { days: sql.int4 },
  columns: {},
});

const removeDrafts = new Statement({
  name: 'remove-drafts',
  text: `
    DELETE FROM draft WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM draft WHERE updated_at < ${messagesExpireBefore} ORDER BY updated_at LIMIT ${batchRows}))`,
  parameters: { days: sql.int4 },
  columns: {},
});

/**
 * Deletes expired messages, with what belongs to them. Times increase with sequence numbers, so the expired messages of
 * a conversation are its first ones.
 */
const removeMessages = new Statement({
  name: 'remove-messages',
  text: `
    WITH due AS MATERIALIZED (
      SELECT id, removed_seq FROM conversation WHERE oldest_since < ${messagesExpireBefore} ORDER BY oldest_since LIMIT ${maxConversations}
    ), expired AS MATERIALIZED (
      SELECT due.id, candidate.seq
      FROM due
      CROSS JOIN LATERAL (
        SELECT seq, sent_at FROM message
        WHERE conversation_id = due.id AND seq > due.removed_seq ORDER BY seq LIMIT ${opaqueLimit(batchRows)}
      ) candidate
      WHERE candidate.sent_at < ${messagesExpireBefore}
      LIMIT ${batchRows}
    ), revisions AS (
      DELETE FROM message_revision r USING expired WHERE r.conversation_id = expired.id AND r.seq = expired.seq
    ), reactions AS (
      DELETE FROM reaction r USING expired WHERE r.conversation_id = expired.id AND r.seq = expired.seq
    ), pins AS (
      DELETE FROM pin p USING expired WHERE p.conversation_id = expired.id AND p.seq = expired.seq
    ), mentions AS (
      DELETE FROM mention n USING expired WHERE n.conversation_id = expired.id AND n.message_seq = expired.seq
    )
    DELETE FROM message m USING expired WHERE m.conversation_id = expired.id AND m.seq = expired.seq`,
  parameters: { days: sql.int4 },
  columns: {},
});

/** The largest bigint: after all messages of a conversation. */
const maxSeq = '9223372036854775807';

/**
 * Updates what conversations know of their oldest message, and removes the search blocks that have only removed
 * messages. Skips conversations that are being written to, so that neither side waits for the other.
 */
const updateOldest = new Statement({
  name: 'update-oldest',
  // A conversation without messages gets a time one minute ago, before any message that is being stored meanwhile.
  text: `
    WITH due AS MATERIALIZED (
      SELECT id, removed_seq FROM conversation WHERE oldest_since < ${messagesExpireBefore} ORDER BY oldest_since LIMIT ${maxConversations}
      FOR NO KEY UPDATE SKIP LOCKED
    ), remaining AS MATERIALIZED (
      SELECT due.id, coalesce(oldest.seq, ${maxSeq}) AS first_seq, coalesce(oldest.seq - 1, due.removed_seq) AS seq, coalesce(oldest.sent_at, now() - interval '1 minute') AS since
      FROM due
      LEFT JOIN LATERAL (
        SELECT seq, sent_at FROM message WHERE conversation_id = due.id AND seq > due.removed_seq ORDER BY seq LIMIT 1
      ) oldest ON true
    ), search_blocks AS (
      DELETE FROM search_block b USING remaining
      WHERE b.conversation_id = remaining.id AND b.first_seq < remaining.first_seq AND b.last_seq < remaining.first_seq
    )
    UPDATE conversation c SET removed_seq = remaining.seq, oldest_since = remaining.since
    FROM remaining
    WHERE c.id = remaining.id AND (c.removed_seq, c.oldest_since) IS DISTINCT FROM (remaining.seq, remaining.since)`,
  parameters: { days: sql.int4 },
  columns: {},
});

/** Deletes expired rows in batches. Only a transaction that holds the lock may do so. */
@Injectable()
export class RetentionStore {
  /**
   * Takes the lock for deletions until the transaction ends. A lock of the transaction also works behind a pooler that
   * gives each transaction another connection.
   *
   * @returns false if another transaction of any instance has it
   */
  async tryLock(client: ClientBase): Promise<boolean> {
    return (await lockRetention.find(client, {}))?.locked === true;
  }

  /**
   * Deletes commits that no instance reads anymore: one that is so far behind checks every stream instead, and the
   * search has indexed them.
   *
   * @returns the number of deleted rows
   */
  removeCommits(client: ClientBase): Promise<number> {
    return removeCommits.execute(client, {});
  }

  /** Deletes entries that are older than the oldest valid cursor. @returns the number of deleted rows */
  removeEvents(client: ClientBase): Promise<number> {
    return removeEvents.execute(client, {});
  }

  /**
   * Deletes sessions that ended a day ago, after all instances polled their end. @returns the number of deleted rows
   */
  removeSessions(client: ClientBase): Promise<number> {
    return removeSessions.execute(client, {});
  }

  /** Deletes changes of conversations that are as old as expired messages. @returns the number of deleted rows */
  removeConversationChanges(client: ClientBase, days: number): Promise<number> {
    return removeConversationChanges.execute(client, { days });
  }

  /** Deletes drafts that are as old as expired messages. @returns the number of deleted rows */
  removeDrafts(client: ClientBase, days: number): Promise<number> {
    return removeDrafts.execute(client, { days });
  }

  /**
   * Deletes messages that were sent before 00:00 UTC of the day that was `days` days ago, with their former texts,
   * reactions, pins, mentions and entries in the search index. They are found by their conversation, whose
   * `oldest_since` shows whether there may be any, since finding them by time would need an index of all messages. The
   * limit moves once a day, so a conversation is searched once a day.
   *
   * @returns the number of deleted messages, and of conversations whose `oldest_since` was updated; both are 0 if there
   * is nothing to do
   */
  async removeMessages(client: ClientBase, days: number): Promise<{ removed: number; updated: number }> {
    const removed = await removeMessages.execute(client, { days });
    const updated = await updateOldest.execute(client, { days });
    return { removed, updated };
  }
}
