import { Inject, Injectable } from '@nestjs/common';
import { POOL, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { opaqueLimit } from '../opaque-limit';
import { type Entry, type Position } from './entry';
import { entryColumns, selectEvent, selectMessage, toEntry } from './entry-row';

/** What an account is subscribed to, as of one snapshot of the database. */
export interface AccountSubscriptions {
  /** The last sequence number of the account's own stream that these subscriptions include; later entries may change them. */
  accountSeq: number;
  /** The conversations, with their last sequence numbers. */
  conversations: Position[];
}

/** How long `commit_log` keeps a commit, in milliseconds. */
export const commitRetentionMs = 10 * 60_000;

/**
 * Assumed maximum time from the start of a transaction until `pg_stat_activity` shows it, in milliseconds: PostgreSQL first notes when a
 * statement arrived, and publishes that time a moment later.
 */
const activityDelayMs = 10;

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
  parameters: { account: sql.text },
  columns: {
    /** Null in the row of the account's own stream. */
    stream: sql.nullable(sql.text),
    last_seq: sql.notNull(sql.int8),
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
      (SELECT ${selectMessage} FROM message
       WHERE conversation_id = wanted.stream AND seq > wanted.after ORDER BY seq LIMIT ${opaqueLimit('$3')})
      -- Limits the union too: otherwise one table's rows could end earlier than the other's, and callers take a gap between entries for
      -- entries that retention has removed.
      ORDER BY seq LIMIT ${opaqueLimit('$3')}
    ) entry
    ORDER BY wanted.stream, entry.seq`,
  parameters: { streams: sql.arrayOf(sql.text), after: sql.arrayOf(sql.int8), limit: sql.int4 },
  columns: entryColumns,
});

const leavesOfAccount = new Statement({
  name: 'leaves-of-account',
  text: 'SELECT seq FROM event WHERE stream = $1 AND seq BETWEEN $2 AND $3 AND $4 = ANY(leaves) ORDER BY seq',
  parameters: { stream: sql.text, from: sql.int8, to: sql.int8, account: sql.text },
  columns: { seq: sql.int8 },
});

const positionColumns = { stream: sql.notNull(sql.text), last_seq: sql.notNull(sql.int8) };

const lastSeqs = new Statement({
  name: 'last-seqs',
  text: `
    -- A subquery for each, since the planner may scan a whole table for a join.
    SELECT wanted.stream,
           coalesce((SELECT last_seq FROM conversation WHERE id = wanted.stream),
                    (SELECT last_seq FROM account_stream WHERE account = wanted.stream), 0) AS last_seq
    FROM unnest($1::text[]) AS wanted (stream)`,
  parameters: { streams: sql.arrayOf(sql.text) },
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
  parameters: { since: sql.timestamptz },
  columns: positionColumns,
});

/** Reads what live delivery needs of the log: entries, subscriptions and recent commits. `MissedStore` reads what a client missed. */
@Injectable()
export class LogStore {
  /** Maximum number of entries of one stream that `findEntries` returns by default; if it returns fewer, the stream has no others. */
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
    return rows.map(toEntry);
  }

  /** Returns the sequence numbers of an account's leaves of a conversation, from `from` to `to` inclusive, in order. */
  async findLeaves(
    account: string,
    { stream, from, to }: { stream: string; from: number; to: number },
  ): Promise<number[]> {
    const rows = await leavesOfAccount.query(this.pool, { stream, from, to, account });
    return rows.map(({ seq }) => Number(seq));
  }

  /** Returns the last sequence number of each stream, which is an account or a conversation; 0 if it has no entries. */
  async findLastSeqs(streams: readonly string[]): Promise<Position[]> {
    const rows = await lastSeqs.query(this.pool, { streams });
    return rows.map(toPosition);
  }

  /**
   * Statements that begin from now on see every commit logged before the returned instant: just before the oldest running transaction of
   * the chat began, or before now if none is older.
   */
  async findCompleteUntil(): Promise<Date> {
    const completeUntil = (await commitsCompleteUntil.find(this.pool, {}))?.complete_until;
    if (completeUntil === undefined) throw new Error('an aggregate returned no row');
    return completeUntil;
  }

  /** Returns the last sequence number of each stream that has grown since an instant at most `commitRetentionMs` ago. */
  async findCommits(since: Date): Promise<Position[]> {
    const rows = await commitsSince.query(this.pool, { since });
    return rows.map(toPosition);
  }
}

function toPosition({ stream, last_seq }: { stream: string; last_seq: string }): Position {
  return { stream, seq: Number(last_seq) };
}
