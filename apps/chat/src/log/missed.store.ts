import { Inject, Injectable } from '@nestjs/common';
import { POOL, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { opaqueLimit } from '../opaque-limit';
import { type Entry } from './entry';
import { entryColumns, eventColumns, messageColumns, toEntry } from './entry-row';
import { isSubscribed, type Position } from './log.store';
import { bodyBytes, selectBody } from './message-body';

const missedPositions = new Statement({
  name: 'missed-positions',
  // The limit is applied before the sort, so that nothing beyond it is read.
  text: `
    WITH subscribed AS (
      SELECT m.conversation_id AS stream, m.joined_seq AS after, CASE WHEN ${isSubscribed} THEN 'infinity' ELSE m.left_seq::float8 END AS until
      FROM member m
      WHERE m.account = $1 AND (${isSubscribed} OR m.left_at >= $2)
      UNION ALL SELECT $1, 0, 'infinity'
    ), missed AS (
      SELECT subscribed.stream, entry.seq, entry.id
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
    SELECT * FROM missed ORDER BY stream, seq`,
  parameters: { account: sql.text, since: sql.timestamptz, limit: sql.int8 },
  columns: { stream: sql.notNull(sql.text), seq: sql.notNull(sql.int8), id: sql.nullable(sql.text) },
});

const entriesAtPositions = new Statement({
  name: 'entries-at-positions',
  text: `
    SELECT * FROM (
      SELECT p.n, p.stream, p.seq, e.events, e.joins, e.leaves, e.subscriptions, m.id, m.sender, m.recipient, ${selectBody('m')},
             coalesce(e.at, m.sent_at) AS at, m.deleted_at IS NOT NULL AS deleted,
             sum(coalesce(${bodyBytes('m')}, octet_length(e.events::text)))
               OVER (ORDER BY p.n ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS bytes_before
      FROM unnest($1::text[], $2::bigint[], $3::boolean[]) WITH ORDINALITY AS p (stream, seq, is_message, n)
      LEFT JOIN event e ON NOT p.is_message AND e.stream = p.stream AND e.seq = p.seq
      LEFT JOIN message m ON p.is_message AND m.conversation_id = p.stream AND m.seq = p.seq
    ) entry
    WHERE coalesce(bytes_before, 0) < $4
    ORDER BY n`,
  parameters: {
    streams: sql.arrayOf(sql.text),
    seqs: sql.arrayOf(sql.int8),
    areMessages: sql.arrayOf(sql.bool),
    maxBytes: sql.int8,
  },
  columns: { ...entryColumns, n: sql.notNull(sql.int8), bytes_before: sql.nullable(sql.int8) },
});

const pageOfStream = new Statement({
  name: 'page-of-stream',
  text: `
    SELECT * FROM (
      SELECT $1::text AS stream, entry.*,
             sum(coalesce(${bodyBytes('entry')}, octet_length(events::text)))
               OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS bytes_before
      FROM (
        (SELECT ${eventColumns}
         FROM event WHERE stream = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq LIMIT ${opaqueLimit('$4')})
        UNION ALL
        (SELECT ${messageColumns}
         FROM message WHERE conversation_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq LIMIT ${opaqueLimit('$4')})
        ORDER BY seq LIMIT ${opaqueLimit('$4')}
      ) entry
    ) page
    WHERE coalesce(bytes_before, 0) < $5
    ORDER BY seq`,
  parameters: { stream: sql.text, from: sql.int8, to: sql.int8, maxEntries: sql.int4, maxBytes: sql.int8 },
  columns: { ...entryColumns, bytes_before: sql.nullable(sql.int8) },
});

const missedOwn = new Statement({
  name: 'missed-own',
  text: `
    SELECT conversation_id, CASE WHEN acknowledged_at >= $2 THEN acknowledged_seq END AS acknowledged_seq,
           coalesce(left_at >= $2 AND (left_seq IS NULL OR joined_seq >= left_seq), false) AS came_back
    FROM member WHERE account = $1 AND (acknowledged_at >= $2 OR left_at >= $2)`,
  parameters: { account: sql.text, since: sql.timestamptz },
  columns: {
    conversation_id: sql.text,
    /** Null if it was acknowledged before. */
    acknowledged_seq: sql.nullable(sql.int8),
    came_back: sql.notNull(sql.bool),
  },
});

const missedReceipts = new Statement({
  name: 'missed-receipts',
  text: `
    SELECT other.conversation_id, other.account AS username, other.acknowledged_seq AS seq
    FROM member mine
    JOIN conversation c ON c.id = mine.conversation_id AND c.type = 'dm' AND NOT c.blocked
    JOIN member other ON other.conversation_id = c.id AND other.account <> $1 AND other.acknowledged_at >= $2
    WHERE mine.account = $1`,
  parameters: { account: sql.text, since: sql.timestamptz },
  columns: { conversation_id: sql.text, username: sql.text, seq: sql.int8 },
});

/** The position of an entry in the log. */
export interface EntryPosition extends Position {
  /** Null if the entry is not a message. */
  messageId: string | null;
}

/** The changes by an account itself while one of its devices was disconnected. */
interface OwnActivity {
  /** The last sequence number that is read, by conversation. */
  acknowledged: { conversationId: string; seq: number }[];
  /** Whether it has joined or followed a conversation again that it had left: its subscription before that is not recorded. */
  hasRejoined: boolean;
}

/** Reads what happened while a device was disconnected. */
@Injectable()
export class MissedStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Returns the positions of the entries since an instant to whose streams the account was subscribed, those of each stream in order.
   * @param limit if there are more, which of them are returned is unspecified
   */
  async findPositions(account: string, since: Date, limit: number): Promise<EntryPosition[]> {
    const rows = await missedPositions.query(this.pool, { account, since, limit });
    return rows.map(({ stream, seq, id }) => ({ stream, seq: Number(seq), messageId: id }));
  }

  /**
   * Returns the entries at the first of the given positions, in the given order: at least one, and no further ones after their texts
   * have `maxBytes` bytes.
   */
  async findEntries(positions: readonly EntryPosition[], maxBytes: number): Promise<Entry[]> {
    const rows = await entriesAtPositions.query(this.pool, {
      streams: positions.map(({ stream }) => stream),
      seqs: positions.map(({ seq }) => seq),
      areMessages: positions.map(({ messageId }) => messageId !== null),
      maxBytes,
    });
    return rows.map(toEntry);
  }

  /**
   * Returns the first entries of a range of a stream, in order: at least one, and no further ones after their texts have the given
   * number of bytes. Deleted ones are left out.
   */
  async findPage(
    { stream, from, to }: { stream: string; from: number; to: number },
    max: { entries: number; bytes: number },
  ): Promise<Entry[]> {
    const values = { stream, from, to, maxEntries: max.entries, maxBytes: max.bytes };
    const rows = await pageOfStream.query(this.pool, values);
    return rows.map(toEntry);
  }

  /** Returns what the account itself has changed since an instant, on any device. */
  async findOwn(account: string, since: Date): Promise<OwnActivity> {
    const rows = await missedOwn.query(this.pool, { account, since });
    return {
      acknowledged: rows.flatMap(({ conversation_id, acknowledged_seq }) =>
        acknowledged_seq === null ? [] : [{ conversationId: conversation_id, seq: Number(acknowledged_seq) }],
      ),
      hasRejoined: rows.some(({ came_back }) => came_back),
    };
  }

  /** Returns how far the other accounts of the account's dms have read since an instant, without dms in which one blocks the other. */
  async findReceipts(
    account: string,
    since: Date,
  ): Promise<{ conversation_id: string; username: string; seq: number }[]> {
    const rows = await missedReceipts.query(this.pool, { account, since });
    return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
  }
}
