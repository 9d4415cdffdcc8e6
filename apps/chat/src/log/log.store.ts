import { Inject, Injectable } from '@nestjs/common';
import { POOL, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { opaqueLimit } from '../opaque-limit';
import { type Entry, type EntryRange, type Position } from './entry';
import { entryColumns, selectEvent, selectMessage, toEntry } from './entry-row';
import { commitLogTable } from './commit-log.entity';
import { conversationTable } from './conversation.entity';
import { eventTable } from './event.entity';
import { memberTable } from './member.entity';
import { withCurrentTexts } from './current-texts';

/** What an account is subscribed to, as of one snapshot of the database. */
export interface AccountSubscriptions {
  /**
   * The last sequence number of the account's own stream that these subscriptions include; later entries may change
   * them.
   */
  accountSeq: number;
  /** The conversations, with their last sequence numbers. */
  conversations: Position[];
}

/** Time that `commit_log` keeps a commit, in milliseconds. */
export const commitRetentionMs = 10 * 60_000;

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

/** SQL: whether a row of `member` (by that name) is a subscription: of a member, or of a follower of a channel. */
export const subscribedCondition = `(member.status = 'member' OR (member.status = 'reader' AND member.followed_at IS NOT NULL))`;

const subscriptionsOfAccount = new Statement({
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

const entriesOfStreams = new Statement({
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

const subscribedRanges = new Statement({
  name: 'subscribed-ranges',
  text: `
    WITH wanted AS MATERIALIZED (
      SELECT wanted.*, joined_seq, left_seq, left_at, ${subscribedCondition} AS is_subscribed
      FROM unnest($2::text[], $3::bigint[]) AS wanted (stream, first)
      CROSS JOIN LATERAL (SELECT * FROM member WHERE conversation_id = wanted.stream AND account = $1 LIMIT 1) member
    ), ended AS MATERIALIZED (
      SELECT wanted.stream, leave.seq FROM wanted
      CROSS JOIN LATERAL (
        -- Who is subscribed again has joined behind its last leave.
        SELECT seq FROM event
        WHERE stream = wanted.stream AND seq BETWEEN first AND greatest(left_seq, joined_seq) AND $1 = ANY(leaves)
        ORDER BY seq LIMIT ${maxRanges}
      ) leave
      WHERE left_at IS NOT NULL
    ), begun AS (
      SELECT conversation AS stream, "from" AS seq
      FROM event CROSS JOIN LATERAL jsonb_to_recordset(subscriptions) AS subscription (conversation text, "from" bigint)
      WHERE event.stream = $1 AND EXISTS (SELECT FROM ended)
    )
    SELECT stream, joined_seq + 1 AS "from", (SELECT last_seq FROM conversation WHERE id = stream) AS "to", false AS has_left
    FROM wanted WHERE is_subscribed
    UNION ALL
    SELECT account, 1, last_seq, false FROM account_stream WHERE account = $1 AND account = ANY($2)
    UNION ALL
    -- Those that have ended: member has only the last one of each conversation, and the account's own stream has when each has begun.
    SELECT stream, coalesce(begun_at, 1), seq, true
    FROM (
      SELECT stream, seq, has_ended, max(CASE WHEN NOT has_ended THEN seq END) OVER (PARTITION BY stream ORDER BY seq, has_ended) AS begun_at
      FROM (SELECT *, true AS has_ended FROM ended UNION ALL SELECT *, false FROM begun) changes
    ) changes
    WHERE has_ended
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

const lastSeqs = new Statement({
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

const commitsCompleteUntil = new Statement({
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

const commitsSince = new Statement({
  name: 'commits-since',
  text: `
    SELECT position.stream, max(position.seq) AS last_seq
    FROM commit_log CROSS JOIN LATERAL unnest(streams, seqs) AS position (stream, seq)
    WHERE at >= $1 GROUP BY position.stream`,
  parameters: { since: commitLogTable.at },
  columns: positionColumns,
});

/**
 * Reads what live delivery needs of the log: entries, subscriptions and recent commits. `CatchUpStore` reads what a
 * client missed.
 */
@Injectable()
export class LogStore {
  /**
   * Maximum number of entries of one stream that `findEntries` returns by default; if it returns fewer, the stream has
   * no others.
   */
  readonly maxEntries: number = 500;

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async findSubscriptions(account: string): Promise<AccountSubscriptions> {
    const rows = await subscriptionsOfAccount.query(this.pool, { account });
    const conversations = rows.flatMap(({ stream, last_seq }) =>
      stream === null ? [] : [{ stream, seq: Number(last_seq) }],
    );
    return { accountSeq: Number(rows.find(({ stream }) => stream === null)?.last_seq ?? 0), conversations };
  }

  /** Returns the next entries of each stream after a sequence number, in order: at most `limit` of each. */
  async findEntries(after: readonly Position[], limit = this.maxEntries): Promise<Entry[]> {
    const rows = await entriesOfStreams.query(this.pool, {
      streams: after.map(({ stream }) => stream),
      after: after.map(({ seq }) => seq),
      limit,
    });
    return withCurrentTexts(this.pool, rows.map(toEntry));
  }

  /**
   * Returns what an account may receive of streams from the given sequence numbers on: a range for each time that it
   * was subscribed, in ascending order. The range of a subscription that has not ended ends with the last entry.
   */
  async findSubscribed(account: string, wanted: readonly Position[]): Promise<EntryRange[]> {
    const firsts = new Map(wanted.map(({ stream, seq }) => [stream, seq]));
    const rows = await subscribedRanges.query(this.pool, {
      account,
      streams: [...firsts.keys()],
      firsts: [...firsts.values()],
    });
    return rows
      .map(({ stream, from, to, has_left: hasLeft }) => {
        return { stream, from: Math.max(Number(from), firsts.get(stream) ?? 0), to: Number(to), hasLeft };
      })
      .filter(({ from, to }) => from <= to);
  }

  /** Returns the last sequence number of each stream, which is an account or a conversation; 0 if it has no entries. */
  async findLastSeqs(streams: readonly string[]): Promise<Position[]> {
    const rows = await lastSeqs.query(this.pool, { streams });
    return rows.map(toPosition);
  }

  /**
   * Statements that begin from now on see every commit logged before the returned instant: just before the oldest
   * running transaction of the chat began, or before now if none is older.
   */
  async findCompleteUntil(): Promise<Date> {
    const completeUntil = (await commitsCompleteUntil.find(this.pool, {}))?.complete_until;
    if (completeUntil === undefined) throw new Error('an aggregate returned no row');
    return completeUntil;
  }

  /**
   * Returns the last sequence number of each stream that has grown since an instant at most `commitRetentionMs` ago.
   */
  async findCommits(since: Date): Promise<Position[]> {
    const rows = await commitsSince.query(this.pool, { since });
    return rows.map(toPosition);
  }
}

function toPosition({ stream, last_seq }: { stream: string; last_seq: string }): Position {
  return { stream, seq: Number(last_seq) };
}
