import { maxUnreadMessages } from '@waggle/contracts';
import { sql, Statement } from '@waggle/service';
import { followableCondition } from '../membership/conversation-sql';
import { jsonBytes, jsonBytesInPage, messageBytes, pageColumns, selectPage } from '../lists/page';
import { body } from '../log/message-body';
import { opaqueLimit } from '../opaque-limit';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';
import { messageTable } from '../log/message.entity';

/** The columns of a listed message. */
export const messageColumns = {
  seq: messageTable.seq,
  id: messageTable.id,
  conversation_id: messageTable.conversationId,
  sender: messageTable.sender,
  recipient: messageTable.recipient,
  ...body.columns,
  sent_at: messageTable.sentAt,
};

/**
 * SQL for a page of messages of conversation `$1` as account `$2` sees them, in ascending order. An empty page is one
 * row without a message. If the account may not read the conversation, there is no row.
 *
 * `read` of a message of a group or channel: the account has read it or sent it. In a dm: its recipient has read it. A
 * member who has read nothing yet may lack a row, so its read position counts as 0.
 *
 * @param range a condition that selects the messages of conversation `c`, from `$3` on
 * @param order the order of the page
 */
const selectHistory = (range: string, order: string) => `
    SELECT page.seq, page.id, page.conversation_id, page.sender, page.recipient, ${body.selectFrom('page')}, page.sent_at, page.read,
           page.has_next, ${followableCondition} AS is_followable
    FROM conversation c
    LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = $2
    -- The other account of a dm.
    LEFT JOIN member other ON c.type = 'dm' AND other.conversation_id = c.id
      AND other.account = CASE $2 WHEN c.dm_first THEN c.dm_second ELSE c.dm_first END COLLATE "default"
    LEFT JOIN LATERAL (${selectPage(
      `SELECT seq, id, conversation_id, sender, recipient, ${body.selectFrom('message')}, sent_at,
              CASE WHEN recipient IS NULL THEN sender = $2 OR seq <= coalesce(mine.acknowledged_seq, 0)
                   WHEN recipient = $2 THEN seq <= mine.acknowledged_seq
                   ELSE seq <= other.receipt_seq END AS read,
              ${messageBytes} + ${jsonBytes(body.textFrom('message'))} AS bytes
       FROM message
       WHERE conversation_id = c.id AND deleted_at IS NULL AND ${range}
       ORDER BY ${order} LIMIT ${opaqueLimit('$4')}`,
      '$4',
      order,
    )}
    ) page ON true
    WHERE c.id = $1 AND (c.type = 'channel' OR mine.status = 'member')
    ORDER BY page.sent_at`;

/** `$1` and `$2` of `selectHistory`. */
const reader = { conversationId: conversationTable.id, account: memberTable.account };

/** All but `recipient` and `is_followable` are null only in the row without a message. */
const historyRow = {
  seq: sql.nullable(messageTable.seq),
  id: sql.nullable(messageTable.id),
  conversation_id: sql.nullable(messageTable.conversationId),
  sender: sql.nullable(messageTable.sender),
  recipient: messageTable.recipient,
  ...body.nullableColumns,
  sent_at: sql.nullable(messageTable.sentAt),
  read: sql.nullable(sql.bool),
  has_next: sql.nullable(sql.bool),
  is_followable: sql.notNull(sql.bool),
};

/** Returns the newest messages before an instant; without one, the newest of all. */
export const historyBefore = new Statement({
  name: 'history-before',
  text: selectHistory(`sent_at < coalesce($3::timestamptz, 'infinity')`, 'sent_at DESC'),
  /** `limit` is one more than the page may have. */
  parameters: { ...reader, before: sql.nullable(messageTable.sentAt), limit: sql.int4 },
  columns: historyRow,
});

/**
 * Returns the oldest messages after a sequence number. It compares times, which have the order of sequence numbers:
 * their index lacks the deleted messages. The time of the number is the one of the last message up to it, if there is
 * one.
 */
export const historyAfter = new Statement({
  name: 'history-after',
  text: selectHistory(
    `sent_at > coalesce((
         SELECT sent_at FROM message WHERE conversation_id = c.id AND seq <= $3 ORDER BY seq DESC LIMIT 1
       ), '-infinity')`,
    'sent_at',
  ),
  parameters: { ...reader, afterSeq: messageTable.seq, limit: sql.int4 },
  columns: historyRow,
});

/**
 * Returns where a page around a message begins: `target` is the sequence number of the message, `start` the one of the
 * first message in the page, at most `$3` messages up to the target. No row if the conversation lacks the message. A
 * deleted target without earlier messages is the start itself.
 */
export const startOfPageAround = new Statement({
  name: 'start-of-page-around',
  text: `
    WITH target AS (SELECT seq, sent_at FROM message WHERE conversation_id = $1 AND id = $2 LIMIT 1)
    SELECT target.seq AS target, coalesce((
      SELECT min(seq) FROM (
        SELECT seq FROM message WHERE conversation_id = $1 AND deleted_at IS NULL AND sent_at <= target.sent_at
        ORDER BY sent_at DESC LIMIT ${opaqueLimit('$3')}
      ) before
    ), target.seq) AS start
    FROM target`,
  parameters: { conversationId: messageTable.conversationId, id: messageTable.id, limit: sql.int4 },
  columns: { target: messageTable.seq, start: sql.notNull(messageTable.seq) },
});

/**
 * Returns a page of the newest messages of others that an account has not read, over all its conversations, in
 * ascending order. `nth` numbers the rows from the newest.
 */
export const unreadMessages = new Statement({
  name: 'unread-messages',
  text: `
    -- Reads sequence numbers by an index-only scan first: the rows of the messages are on many pages of the table.
    WITH newest AS (
      SELECT mine.conversation_id, unread.seq
      FROM member mine
      JOIN conversation c ON c.id = mine.conversation_id AND c.last_seq > mine.acknowledged_seq
      CROSS JOIN LATERAL (
        -- Limited in each conversation as well, so that a channel that the account does not read is not scanned whole.
        SELECT seq, sent_at FROM message
        WHERE conversation_id = mine.conversation_id AND seq > mine.acknowledged_seq AND sender <> $1 AND deleted_at IS NULL
          -- The last message before the cursor: this index is sorted by sequence number, so their limit is needed.
          AND seq <= CASE WHEN $2::timestamptz IS NULL THEN c.last_seq ELSE (
            SELECT seq FROM message
            WHERE conversation_id = c.id AND deleted_at IS NULL
              AND sent_at < $2 + CASE WHEN c.id < $3 THEN interval '1 ms' ELSE interval '0' END
            ORDER BY sent_at DESC LIMIT 1
          ) END
        ORDER BY seq DESC LIMIT ${opaqueLimit(maxUnreadMessages + 1)}
      ) unread
      WHERE mine.account = $1 AND mine.status = 'member' AND NOT mine.hidden
      ORDER BY unread.sent_at DESC, mine.conversation_id DESC LIMIT ${maxUnreadMessages + 1}
    ), page AS (${selectPage(
      `SELECT m.seq, m.id, m.conversation_id, m.sender, m.recipient, ${body.selectFrom('m')}, m.sent_at,
              ${messageBytes} + ${jsonBytesInPage(body.textFrom('m'), 'sent_at DESC, m.conversation_id DESC')} AS bytes
       FROM newest JOIN message m ON m.conversation_id = newest.conversation_id AND m.seq = newest.seq`,
      maxUnreadMessages + 1,
      'sent_at DESC, conversation_id DESC',
    )}
    )
    SELECT seq, id, conversation_id, sender, recipient, ${body.selectFrom('page')}, sent_at, nth, has_next FROM page ORDER BY sent_at, id`,
  parameters: {
    account: memberTable.account,
    /** The cursor, together with the conversation; null for the first page. */
    before: sql.nullable(messageTable.sentAt),
    conversationId: sql.nullable(messageTable.conversationId),
  },
  columns: { ...messageColumns, nth: pageColumns.nth, has_next: pageColumns.has_next },
});
