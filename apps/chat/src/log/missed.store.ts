import { Inject, Injectable } from '@nestjs/common';
import { POOL, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { upTo } from '../up-to';
import { type Entry } from './entry';
import { entryColumns, eventColumns, messageColumns, toEntry } from './entry-row';
import { isSubscribed } from './log.store';
import { bodyBytes, selectBody } from './message-body';

const missedPlaces = new Statement({
  name: 'missed-places',
  // The limit stands within the sort, so that nothing more is read where it is reached.
  text: `
    WITH heard AS (
      SELECT m.conversation_id AS stream, m.joined_seq AS after, CASE WHEN ${isSubscribed} THEN 'infinity' ELSE m.left_seq::float8 END AS until
      FROM member m
      WHERE m.account = $1 AND (${isSubscribed} OR m.left_at >= $2)
      UNION ALL SELECT $1, 0, 'infinity'
    ), missed AS (
      SELECT heard.stream, entry.seq, entry.id
      FROM heard
      LEFT JOIN conversation c ON c.id = heard.stream
      CROSS JOIN LATERAL (
        SELECT seq, NULL AS id FROM event WHERE stream = heard.stream AND at >= $2
        UNION ALL
        SELECT seq, id FROM message
        WHERE conversation_id = heard.stream AND sent_at >= $2 AND c.last_message_at >= $2 AND deleted_at IS NULL
      ) entry
      WHERE entry.seq > heard.after AND entry.seq <= heard.until
      LIMIT $3
    )
    SELECT * FROM missed ORDER BY stream, seq`,
  parameters: { account: sql.text, since: sql.timestamptz, limit: sql.int8 },
  columns: { stream: sql.notNull(sql.text), seq: sql.notNull(sql.int8), id: sql.nullable(sql.text) },
});

const entriesAtPlaces = new Statement({
  name: 'entries-at-places',
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
         FROM event WHERE stream = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq LIMIT ${upTo('$4')})
        UNION ALL
        (SELECT ${messageColumns}
         FROM message WHERE conversation_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq LIMIT ${upTo('$4')})
        ORDER BY seq LIMIT ${upTo('$4')}
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

/** Where an entry stands. */
export interface EntryPlace {
  stream: string;
  seq: number;
  /** Null where it is no message. */
  messageId: string | null;
}

/** That an account has read a conversation up to a place. */
export interface Acknowledged {
  conversationId: string;
  seq: number;
}

/** What an account has done while one of its devices was away. */
export interface OwnDoings {
  acknowledged: Acknowledged[];
  /** Whether it has come back into a conversation that it had left, or follows a channel again: what it heard before that is not noted. */
  cameBack: boolean;
}

/** What happened while somebody was away. */
@Injectable()
export class MissedStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * The places of the entries since an instant that the account hears or heard when they were made, those of each stream in
   * order; where there are more than `most`, any so many of them.
   */
  async findPlaces(account: string, since: Date, most: number): Promise<EntryPlace[]> {
    const rows = await missedPlaces.query(this.pool, { account, since, limit: most });
    return rows.map(({ stream, seq, id }) => ({ stream, seq: Number(seq), messageId: id }));
  }

  /**
   * What stands at the first of the places, in the given order: so many of them that their texts have about so many bytes
   * together, and one at least.
   */
  async findEntries(places: readonly EntryPlace[], bytes: number): Promise<Entry[]> {
    const rows = await entriesAtPlaces.query(this.pool, {
      streams: places.map(({ stream }) => stream),
      seqs: places.map(({ seq }) => seq),
      areMessages: places.map(({ messageId }) => messageId !== null),
      maxBytes: bytes,
    });
    return rows.map(toEntry);
  }

  /**
   * The first entries of a range of a stream, in order: so many of them that their texts have about so many bytes together, and
   * one at least. Those that are gone are left out.
   */
  async findPage(
    { stream, from, to }: { stream: string; from: number; to: number },
    most: { entries: number; bytes: number },
  ): Promise<Entry[]> {
    const values = { stream, from, to, maxEntries: most.entries, maxBytes: most.bytes };
    const rows = await pageOfStream.query(this.pool, values);
    return rows.map(toEntry);
  }

  /** What the account itself has done since an instant, on whatever device. */
  async findOwn(account: string, since: Date): Promise<OwnDoings> {
    const rows = await missedOwn.query(this.pool, { account, since });
    return {
      acknowledged: rows.flatMap(({ conversation_id, acknowledged_seq }) =>
        acknowledged_seq === null ? [] : [{ conversationId: conversation_id, seq: Number(acknowledged_seq) }],
      ),
      cameBack: rows.some(({ came_back }) => came_back),
    };
  }

  /** How far the others of the account's dms have read since an instant; not where one blocks the other. */
  async findReceipts(
    account: string,
    since: Date,
  ): Promise<{ conversation_id: string; username: string; seq: number }[]> {
    const rows = await missedReceipts.query(this.pool, { account, since });
    return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
  }
}
