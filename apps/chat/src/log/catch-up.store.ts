import { Inject, Injectable } from '@nestjs/common';
import { type ServerPayload } from '@waggle/contracts';
import { POOL, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { opaqueLimit } from '../opaque-limit';
import { type Entry, type EntryRange, type SeqRange } from './entry';
import { entryColumns, selectEvent, selectMessage, toEntry } from './entry-row';
import { subscribedCondition } from './log.store';
import { body } from './message-body';
import { conversationTable } from './conversation.entity';
import { eventTable } from './event.entity';
import { memberTable } from './member.entity';
import { messageTable } from './message.entity';
import { withCurrentTexts } from './current-texts';
import { joinMentionCount, joinReadState, mentionCountColumn, readStateColumns } from './read-state';

/**
 * Maximum number of times that an account may have left one conversation since an instant. For each leave, the query
 * looks through everything stored in the conversation since then: 20 ms for 100,000 messages.
 */
export const maxLeaves = 10;

const entriesSince = new Statement({
  name: 'entries-since',
  // The limit is applied before the sort, so that nothing beyond it is read.
  text: `
    WITH ended AS MATERIALIZED (
      SELECT leave.* FROM member
      CROSS JOIN LATERAL (
        -- LIMIT also keeps the planner from a join, for which it may read the whole table.
        SELECT stream, seq FROM event WHERE stream = member.conversation_id AND at >= $2 AND $1 = ANY(leaves) LIMIT ${maxLeaves + 1}
      ) leave
      WHERE member.account = $1 AND member.left_at >= $2
    ), begun AS (
      SELECT conversation AS stream, "from" AS seq
      FROM event CROSS JOIN LATERAL jsonb_to_recordset(subscriptions) AS subscription (conversation text, "from" bigint)
      WHERE event.stream = $1 AND EXISTS (SELECT FROM ended)
    ), subscribed AS (
      SELECT conversation_id AS stream, joined_seq AS after, 'infinity'::float8 AS until
      FROM member WHERE account = $1 AND ${subscribedCondition}
      UNION ALL SELECT $1, 0, 'infinity'
      UNION ALL
      -- Those that have ended: member has only the last one of each conversation, and the account's own stream has when each has begun.
      SELECT stream, coalesce(begun_at, 1) - 1, seq
      FROM (
        SELECT stream, seq, has_ended, max(CASE WHEN NOT has_ended THEN seq END) OVER (PARTITION BY stream ORDER BY seq, has_ended) AS begun_at
        FROM (SELECT *, true AS has_ended FROM ended UNION ALL SELECT *, false FROM begun) changes
      ) changes
      WHERE has_ended
    ), since AS (
      -- Selecting id makes the planner use the index by time: the primary key covers every other column.
      SELECT subscribed.stream, subscribed.after, entry.seq, entry.id, until < 'infinity' AS has_left
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
    SELECT * FROM since ORDER BY stream, after DESC, seq`,
  parameters: { account: memberTable.account, since: eventTable.at, limit: sql.int8 },
  columns: {
    stream: sql.notNull(eventTable.stream),
    /** The subscription that the entry belongs to begins after this sequence number. */
    after: sql.notNull(memberTable.joinedSeq),
    seq: sql.notNull(eventTable.seq),
    id: sql.nullable(messageTable.id),
    has_left: sql.notNull(sql.bool),
  },
});

const pageOfRanges = new Statement({
  name: 'page-of-ranges',
  text: `
    SELECT * FROM (
      SELECT wanted.n, wanted.stream, entry.*,
             sum(coalesce(octet_length(${body.textFrom('entry')}), octet_length(events::text)))
               OVER (ORDER BY wanted.n, entry.seq ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS bytes_before
      FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS wanted (stream, first, last, n)
      CROSS JOIN LATERAL (
        (SELECT ${selectEvent} FROM event
         WHERE stream = wanted.stream AND seq BETWEEN wanted.first AND wanted.last ORDER BY seq LIMIT ${opaqueLimit('$4')})
        UNION ALL
        (SELECT ${selectMessage('message')} FROM message
         WHERE conversation_id = wanted.stream AND seq BETWEEN wanted.first AND wanted.last ORDER BY seq LIMIT ${opaqueLimit('$4')})
      ) entry
    ) page
    WHERE coalesce(bytes_before, 0) < $5
    ORDER BY n, seq`,
  parameters: {
    streams: sql.arrayOf(eventTable.stream),
    firsts: sql.arrayOf(eventTable.seq),
    lasts: sql.arrayOf(eventTable.seq),
    maxEntries: sql.int4,
    maxBytes: sql.int8,
  },
  columns: { ...entryColumns, n: sql.notNull(sql.int8), bytes_before: sql.nullable(sql.int8) },
});

const acknowledgmentsSince = new Statement({
  name: 'acknowledgments-since',
  text: `
    SELECT conversation_id, acknowledged_seq, last_seq, read_state.*, mention_state.*,
           EXISTS (
             SELECT FROM message
             WHERE conversation_id = member.conversation_id AND seq > member.acknowledged_seq AND sender <> $1
               AND deleted_at IS NULL AND sent_at <= member.acknowledged_at
           ) AS is_partial
    FROM member
    CROSS JOIN LATERAL (SELECT last_seq FROM conversation WHERE id = member.conversation_id LIMIT 1) conversation
    ${joinReadState('member', 'last_seq')}
    ${joinMentionCount('member', '$1', 'member.conversation_id', 'last_seq')}
    WHERE account = $1 AND acknowledged_at >= $2 LIMIT $3`,
  parameters: { account: memberTable.account, since: sql.notNull(memberTable.acknowledgedAt), limit: sql.int8 },
  columns: {
    conversation_id: memberTable.conversationId,
    acknowledged_seq: memberTable.acknowledgedSeq,
    last_seq: conversationTable.lastSeq,
    ...readStateColumns,
    ...mentionCountColumn,
    is_partial: sql.notNull(sql.bool),
  },
});

const receiptsSince = new Statement({
  name: 'receipts-since',
  text: `
    SELECT other.conversation_id, other.account AS username, other.receipt_seq AS seq
    FROM member mine
    JOIN conversation c ON c.id = mine.conversation_id AND c.type = 'dm' AND NOT c.blocked
    JOIN member other ON other.conversation_id = c.id AND other.account <> $1 AND other.acknowledged_at >= $2
    WHERE mine.account = $1 AND mine.conversation_id > $3
    ORDER BY mine.conversation_id LIMIT ${opaqueLimit('$4')}`,
  parameters: {
    account: memberTable.account,
    since: sql.notNull(memberTable.acknowledgedAt),
    after: memberTable.conversationId,
    limit: sql.int4,
  },
  columns: { conversation_id: memberTable.conversationId, username: memberTable.account, seq: memberTable.receiptSeq },
});

/** The entries of an account since an instant. */
interface EntriesOfAccount {
  /** One for each subscription. An account that left a conversation and rejoined has several, the last one first. */
  ranges: readonly EntryRange[];
  /** Number of entries in the ranges, without deleted ones. */
  entries: number;
}

/** How far an account has read a conversation. */
export interface AcknowledgedConversation {
  /** The acknowledged sequence number. */
  seq: number;
  position: ServerPayload<'read-position'>;
  /** Unread mentions of the account. */
  mentionCount: number;
  /** Whether messages that were there when it was acknowledged are unread. */
  isPartial: boolean;
}

/** Reads what connections that are behind catch up with. */
@Injectable()
export class CatchUpStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Returns the entries since an instant, as ranges of the streams that the account was subscribed to.
   *
   * @param limit if there are more entries, or more than `maxLeaves` of one conversation, which of them are returned is
   * unspecified
   */
  async findSince(account: string, since: Date, limit: number): Promise<EntriesOfAccount> {
    const rows = await entriesSince.query(this.pool, { account, since, limit });
    const ranges = new Map<string, EntryRange>();
    for (const { stream, after, seq, has_left } of rows) {
      const key = `${after} ${stream}`;
      const to = Number(seq);
      ranges.set(key, { stream, from: ranges.get(key)?.from ?? to, to, hasLeft: has_left });
    }
    return { ranges: [...ranges.values()], entries: rows.length };
  }

  /**
   * Returns the first entries of ranges, in the given order: at least one, and no further ones after their texts have
   * `maxBytes` bytes. Those that are gone are left out.
   *
   * @param ranges that do not overlap, in ascending order within each stream
   */
  async findPage(ranges: readonly SeqRange[], maxBytes: number): Promise<Entry[]> {
    const rows = await pageOfRanges.query(this.pool, {
      streams: ranges.map(({ stream }) => stream),
      firsts: ranges.map(({ from }) => from),
      lasts: ranges.map(({ to }) => to),
      maxEntries: Math.max(...ranges.map(({ from, to }) => to - from + 1)),
      maxBytes,
    });
    return withCurrentTexts(this.pool, rows.map(toEntry));
  }

  /**
   * Returns how far the account has read the conversations that it has acknowledged since an instant, on any device.
   *
   * @param limit if there are more, any of them are returned
   */
  async findAcknowledged(account: string, since: Date, limit: number): Promise<AcknowledgedConversation[]> {
    const rows = await acknowledgmentsSince.query(this.pool, { account, since, limit });
    return rows.map(({ is_partial: isPartial, acknowledged_seq, mention_count: mentionCount, ...row }) => ({
      seq: Number(acknowledged_seq),
      position: { ...row, read_seq: Number(row.read_seq), last_seq: Number(row.last_seq) },
      mentionCount,
      isPartial,
    }));
  }

  /**
   * Returns how far the other accounts of the account's dms have read since an instant, without dms where one blocks
   * the other.
   *
   * @param page in ascending order of the dm's id: the dms after one id, which is empty for the first page
   */
  async findReceipts(
    account: string,
    since: Date,
    page: { after: string; limit: number },
  ): Promise<{ conversation_id: string; username: string; seq: number }[]> {
    const rows = await receiptsSince.query(this.pool, { account, since, ...page });
    return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
  }
}
