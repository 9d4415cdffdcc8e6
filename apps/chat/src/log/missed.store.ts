import { Inject, Injectable } from '@nestjs/common';
import { POOL, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { opaqueLimit } from '../opaque-limit';
import { type Entry } from './entry';
import { entryColumns, selectEvent, selectMessage, toEntry } from './entry-row';
import { subscribedCondition } from './log.store';
import { bodyText } from './message-body';

const missedEntries = new Statement({
  name: 'missed-entries',
  // The limit is applied before the sort, so that nothing beyond it is read.
  text: `
    WITH subscribed AS (
      SELECT conversation_id AS stream, joined_seq AS after, CASE WHEN ${subscribedCondition} THEN 'infinity' ELSE left_seq::float8 END AS until
      FROM member
      WHERE account = $1 AND (${subscribedCondition} OR left_at >= $2)
      UNION ALL SELECT $1, 0, 'infinity'
    ), missed AS (
      -- Selecting id makes the planner use the index by time: the primary key covers every other column.
      SELECT subscribed.stream, entry.seq, entry.id, until < 'infinity' AS has_left
      FROM subscribed
      LEFT JOIN conversation c ON c.id = subscribed.stream
      CROSS JOIN LATERAL (
        SELECT seq, NULL AS id FROM event WHERE stream = subscribed.stream AND at >= $2
        UNION ALL
        SELECT seq, id FROM message
        WHERE conversation_id = subscribed.stream AND sent_at >= $2 AND c.last_message_at >= $2 AND deleted_at IS NULL
      ) entry
      WHERE entry.seq > subscribed.after AND entry.seq <= subscribed.until
      LIMIT $3
    )
    SELECT missed.*, rejoined.has_rejoined
    FROM (
      SELECT EXISTS (
        SELECT FROM member WHERE account = $1 AND left_at >= $2 AND (left_seq IS NULL OR joined_seq >= left_seq)
      ) AS has_rejoined
    ) rejoined
    LEFT JOIN missed ON true
    ORDER BY stream, seq`,
  parameters: { account: sql.text, since: sql.timestamptz, limit: sql.int8 },
  columns: {
    /** Null, as the next three, in the only row if nothing is missed. */
    stream: sql.nullable(sql.text),
    seq: sql.nullable(sql.int8),
    id: sql.nullable(sql.text),
    has_left: sql.nullable(sql.bool),
    has_rejoined: sql.notNull(sql.bool),
  },
});

const pageOfRanges = new Statement({
  name: 'page-of-ranges',
  text: `
    SELECT * FROM (
      SELECT wanted.n, wanted.stream, entry.*,
             sum(coalesce(octet_length(${bodyText('entry')}), octet_length(events::text)))
               OVER (ORDER BY wanted.n, entry.seq ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS bytes_before
      FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS wanted (stream, first, last, n)
      CROSS JOIN LATERAL (
        (SELECT ${selectEvent} FROM event
         WHERE stream = wanted.stream AND seq BETWEEN wanted.first AND wanted.last ORDER BY seq LIMIT ${opaqueLimit('$4')})
        UNION ALL
        (SELECT ${selectMessage} FROM message
         WHERE conversation_id = wanted.stream AND seq BETWEEN wanted.first AND wanted.last ORDER BY seq LIMIT ${opaqueLimit('$4')})
      ) entry
    ) page
    WHERE coalesce(bytes_before, 0) < $5
    ORDER BY n, seq`,
  parameters: {
    streams: sql.arrayOf(sql.text),
    firsts: sql.arrayOf(sql.int8),
    lasts: sql.arrayOf(sql.int8),
    maxEntries: sql.int4,
    maxBytes: sql.int8,
  },
  columns: { ...entryColumns, n: sql.notNull(sql.int8), bytes_before: sql.nullable(sql.int8) },
});

const missedAcknowledgments = new Statement({
  name: 'missed-acknowledgments',
  text: 'SELECT conversation_id, acknowledged_seq FROM member WHERE account = $1 AND acknowledged_at >= $2 LIMIT $3',
  parameters: { account: sql.text, since: sql.timestamptz, limit: sql.int8 },
  columns: { conversation_id: sql.text, acknowledged_seq: sql.int8 },
});

const missedReceipts = new Statement({
  name: 'missed-receipts',
  text: `
    SELECT other.conversation_id, other.account AS username, other.acknowledged_seq AS seq
    FROM member mine
    JOIN conversation c ON c.id = mine.conversation_id AND c.type = 'dm' AND NOT c.blocked
    JOIN member other ON other.conversation_id = c.id AND other.account <> $1 AND other.acknowledged_at >= $2
    WHERE mine.account = $1 AND mine.conversation_id > $3
    ORDER BY mine.conversation_id LIMIT ${opaqueLimit('$4')}`,
  parameters: { account: sql.text, since: sql.timestamptz, after: sql.text, limit: sql.int4 },
  columns: { conversation_id: sql.text, username: sql.text, seq: sql.int8 },
});

/** Entries of a stream, both ends included. */
export interface SeqRange {
  stream: string;
  from: number;
  to: number;
}

/** Entries of a stream that an account is subscribed to at the first of them. */
export interface EntryRange extends SeqRange {
  /** Whether the account leaves the stream with the last entry. */
  hasLeft: boolean;
}

/** What an account has missed. */
interface Missed {
  /** At most one of each stream. */
  ranges: readonly EntryRange[];
  /** How many entries are in the ranges, without deleted ones. */
  entries: number;
  /** Whether it has rejoined, or followed again, a conversation that it had left: its subscription before that is not recorded. */
  hasRejoined: boolean;
}

/** Reads what happened while a device was disconnected. */
@Injectable()
export class MissedStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Returns the entries since an instant, as ranges of the streams that the account was subscribed to.
   *
   * @param limit if there are more entries, which of them are returned is unspecified
   */
  async findMissed(account: string, since: Date, limit: number): Promise<Missed> {
    const rows = await missedEntries.query(this.pool, { account, since, limit });
    const ranges = new Map<string, EntryRange>();
    let entries = 0;
    for (const { stream, seq, has_left } of rows) {
      if (stream === null || seq === null) continue;
      entries += 1;
      const to = Number(seq);
      ranges.set(stream, { stream, from: ranges.get(stream)?.from ?? to, to, hasLeft: has_left === true });
    }
    return { ranges: [...ranges.values()], entries, hasRejoined: rows[0]?.has_rejoined === true };
  }

  /**
   * Returns the first entries of ranges, in the given order: at least one, and no further ones after their texts have `maxBytes` bytes.
   * Those that are gone are left out.
   *
   * @param ranges of different streams
   */
  async findPage(ranges: readonly SeqRange[], maxBytes: number): Promise<Entry[]> {
    const rows = await pageOfRanges.query(this.pool, {
      streams: ranges.map(({ stream }) => stream),
      firsts: ranges.map(({ from }) => from),
      lasts: ranges.map(({ to }) => to),
      maxEntries: Math.max(...ranges.map(({ from, to }) => to - from + 1)),
      maxBytes,
    });
    return rows.map(toEntry);
  }

  /**
   * Returns the last sequence number that the account has read of each conversation since an instant, on any device.
   *
   * @param limit if there are more, which of them are returned is unspecified
   */
  async findAcknowledged(
    account: string,
    since: Date,
    limit: number,
  ): Promise<{ conversationId: string; seq: number }[]> {
    const rows = await missedAcknowledgments.query(this.pool, { account, since, limit });
    return rows.map((row) => ({ conversationId: row.conversation_id, seq: Number(row.acknowledged_seq) }));
  }

  /**
   * Returns how far the other accounts of the account's dms have read since an instant, without dms in which one blocks the other.
   *
   * @param page by the id of the dm, in ascending order: those after one, which is empty for the first page
   */
  async findReceipts(
    account: string,
    since: Date,
    page: { after: string; limit: number },
  ): Promise<{ conversation_id: string; username: string; seq: number }[]> {
    const rows = await missedReceipts.query(this.pool, { account, since, ...page });
    return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
  }
}
