import { sql, Statement } from '@waggle/service';
import { opaqueLimit } from '../opaque-limit';
import { entryColumns, selectEvent, selectMessage } from './entry-row';
import { body } from './message-body';
import { conversationTable } from './conversation.entity';
import { eventTable } from './event.entity';
import { memberTable } from './member.entity';
import { messageTable } from './message.entity';
import { joinMentionCount, joinReadState, mentionCountColumn, readStateColumns } from './read-state';
import { begunSubscriptions, endedSubscriptions, subscribedCondition } from './subscription-ranges';

/**
 * Maximum number of times that an account may have left one conversation since an instant. For each leave, the query
 * looks through everything stored in the conversation since then: 20 ms for 100,000 messages.
 */
export const maxLeaves = 10;

/**
 * Returns a row for each entry since an instant that an account may receive: of its own stream, and of conversations
 * while it was subscribed. The entries of one subscription follow each other.
 *
 * `ended` has the entries since then with which it left a conversation, `subscribed` all subscriptions that the entries
 * may belong to.
 */
export const entriesSince = new Statement({
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
    ), begun AS (${begunSubscriptions}), subscribed AS (
      SELECT conversation_id AS stream, joined_seq AS after, 'infinity'::float8 AS until
      FROM member WHERE account = $1 AND ${subscribedCondition}
      UNION ALL SELECT $1, 0, 'infinity'
      UNION ALL
      SELECT stream, first - 1, last FROM (${endedSubscriptions}) ended_subscription
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

/** Returns entries of ranges in their order, while the texts of those before are shorter than `maxBytes`. */
export const pageOfRanges = new Statement({
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

/** Returns a row for each conversation that an account has acknowledged since an instant. */
export const acknowledgmentsSince = new Statement({
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

/** Returns a row for each dm of an account that the other account has read since an instant. */
export const receiptsSince = new Statement({
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
