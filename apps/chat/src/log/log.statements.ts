import { sql, Statement } from '@waggle/service';
import { opaqueLimit } from '../opaque-limit';
import { commitLogTable } from './commit-log.entity';
import { conversationTable } from './conversation.entity';
import { entryColumns, selectEvent, selectMessage } from './entry-row';
import { eventTable } from './event.entity';
import { memberTable } from './member.entity';
import { begunSubscriptions, endedSubscriptions, subscribedCondition } from './subscription-ranges';

/**
 * Assumed maximum time from the start of a transaction until `pg_stat_activity` shows it, in milliseconds: PostgreSQL
 * first notes when a statement arrived, and publishes that time a moment later.
 */
const activityDelayMs = 10;

/**
 * Maximum number of leaves of a conversation that are read: more than an account can make while a connection is behind.
 * LIMIT also keeps the planner from a join.
 */
const maxRanges = 10_000;

/** Returns a row for each conversation that an account is subscribed to, and one for its own stream, if it has one. */
export const subscriptionsOfAccount = new Statement({
  name: 'subscriptions-of-account',
  text: `
    SELECT c.id AS stream, c.last_seq
    FROM member JOIN conversation c ON c.id = member.conversation_id
    WHERE member.account = $1 AND ${subscribedCondition}
    UNION ALL
    SELECT NULL, last_seq FROM account_stream WHERE account = $1`,
  parameters: { account: memberTable.account },
  columns: {
    /** The conversation; null in the row of the account's own stream. */
    stream: sql.nullable(conversationTable.id),
    last_seq: sql.notNull(conversationTable.lastSeq),
  },
});

/** Returns the first entries of each stream after a sequence number. */
export const entriesOfStreams = new Statement({
  name: 'entries-of-streams',
  text: `
    SELECT wanted.stream, entry.*
    FROM unnest($1::text[], $2::bigint[]) AS wanted (stream, after)
    CROSS JOIN LATERAL (
      (SELECT ${selectEvent} FROM event
       WHERE stream = wanted.stream AND seq > wanted.after ORDER BY seq LIMIT ${opaqueLimit('$3')})
      UNION ALL
      (SELECT ${selectMessage('message')} FROM message
       WHERE conversation_id = wanted.stream AND seq > wanted.after ORDER BY seq LIMIT ${opaqueLimit('$3')})
      -- Limits the union too: otherwise one table's rows could end earlier than the other's, and callers take a gap between entries for
      -- entries that retention has removed.
      ORDER BY seq LIMIT ${opaqueLimit('$3')}
    ) entry
    ORDER BY wanted.stream, entry.seq`,
  parameters: { streams: sql.arrayOf(eventTable.stream), after: sql.arrayOf(eventTable.seq), limit: sql.int4 },
  columns: entryColumns,
});

/**
 * Returns a row for each subscription of an account to the given streams: its first and last entry. Leaves out those
 * that ended before the wanted entries.
 */
export const subscribedRanges = new Statement({
  name: 'subscribed-ranges',
  text: `
    WITH wanted AS MATERIALIZED (
      SELECT wanted.*, joined_seq, left_seq, left_at, ${subscribedCondition} AS is_subscribed
      FROM unnest($2::text[], $3::bigint[]) AS wanted (stream, first)
      CROSS JOIN LATERAL (SELECT * FROM member WHERE conversation_id = wanted.stream AND account = $1 LIMIT 1) member
    ), ended AS MATERIALIZED (
      SELECT wanted.stream, leave.seq FROM wanted
      CROSS JOIN LATERAL (
        -- If the account is subscribed again, joined_seq is not less than the seq of its last leave.
        SELECT seq FROM event
        WHERE stream = wanted.stream AND seq BETWEEN first AND greatest(left_seq, joined_seq) AND $1 = ANY(leaves)
        ORDER BY seq LIMIT ${maxRanges}
      ) leave
      WHERE left_at IS NOT NULL
    ), begun AS (${begunSubscriptions})
    SELECT stream, joined_seq + 1 AS "from", (SELECT last_seq FROM conversation WHERE id = stream) AS "to", false AS has_left
    FROM wanted WHERE is_subscribed
    UNION ALL
    SELECT account, 1, last_seq, false FROM account_stream WHERE account = $1 AND account = ANY($2)
    UNION ALL
    SELECT stream, first, last, true FROM (${endedSubscriptions}) ended_subscription
    ORDER BY stream, "from"`,
  parameters: {
    account: memberTable.account,
    streams: sql.arrayOf(eventTable.stream),
    firsts: sql.arrayOf(eventTable.seq),
  },
  columns: {
    stream: sql.notNull(eventTable.stream),
    from: sql.notNull(eventTable.seq),
    to: sql.notNull(eventTable.seq),
    has_left: sql.notNull(sql.bool),
  },
});

const positionColumns = { stream: sql.notNull(eventTable.stream), last_seq: sql.notNull(conversationTable.lastSeq) };

/** Returns a row for each of the given streams. */
export const lastSeqs = new Statement({
  name: 'last-seqs',
  text: `
    -- A subquery for each, since the planner may scan a whole table for a join.
    SELECT wanted.stream,
           coalesce((SELECT last_seq FROM conversation WHERE id = wanted.stream),
                    (SELECT last_seq FROM account_stream WHERE account = wanted.stream), 0) AS last_seq
    FROM unnest($1::text[]) AS wanted (stream)`,
  parameters: { streams: sql.arrayOf(eventTable.stream) },
  columns: positionColumns,
});

/** Returns one row; see `findCompleteUntil`. */
export const commitsCompleteUntil = new Statement({
  name: 'commits-complete-until',
  text: `
    SELECT least(min(xact_start), statement_timestamp()) - interval '${activityDelayMs} ms' AS complete_until
    FROM pg_stat_activity
    -- The connections of all instances: they have the same application_name.
    WHERE datname = current_database() AND application_name = current_setting('application_name')
      AND pid <> pg_backend_pid()`,
  parameters: {},
  columns: { complete_until: sql.notNull(sql.timestamptz) },
});

/** Returns a row for each stream that has grown since an instant. */
export const commitsSince = new Statement({
  name: 'commits-since',
  text: `
    SELECT position.stream, max(position.seq) AS last_seq
    FROM commit_log CROSS JOIN LATERAL unnest(streams, seqs) AS position (stream, seq)
    WHERE at >= $1 GROUP BY position.stream`,
  parameters: { since: commitLogTable.at },
  columns: positionColumns,
});
