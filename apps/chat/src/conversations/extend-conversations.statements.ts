import { sql, Statement } from '@waggle/service';
import { jsonBytes, messageBytes, pageColumns, selectPage } from '../lists/page';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';
import { body } from '../log/message-body';
import { messageTable } from '../log/message.entity';
import { joinMentionCount, joinReadState, mentionCountColumn, readStateColumns } from '../log/read-state';
import { memberOf } from '../membership/conversation-sql';

/*
 * SQL in which `c` is a requested conversation, `mine` the row of the account `$2` in it, if there is one, and
 * `read_seq` and `unread_count` are the columns of `joinReadState`.
 */

const selectFirstUnread = `
        SELECT id FROM message WHERE conversation_id = c.id AND seq = read_seq + 1 AND unread_count > 0 LIMIT 1`;

/** Whether the last message was read: by the account, or if it is the account's own in a dm, by the recipient. */
const isRead = `
          CASE WHEN recipient IS NULL THEN sender = $2 OR seq <= coalesce(mine.acknowledged_seq, 0)
               WHEN recipient = $2 THEN seq <= mine.acknowledged_seq
               ELSE seq <= (SELECT receipt_seq FROM member WHERE conversation_id = c.id AND account = recipient)
          END`;

const selectLastMessage = `
        SELECT id AS message_id, sender, recipient, ${body.selectFrom('message')}, sent_at, ${isRead} AS read
        FROM message WHERE conversation_id = c.id AND seq <= c.last_seq AND deleted_at IS NULL
        ORDER BY sent_at DESC LIMIT 1`;

/** Size of the last message in JSON. */
const lastMessageBytes = `
             CASE WHEN last.message_id IS NULL THEN 0 ELSE ${messageBytes} + ${jsonBytes(body.textFrom('last'))} END`;

/**
 * Returns a row for each of the given conversations, as long as they fit into a page: what it means to the account, and
 * its last message.
 */
export const extendConversations = new Statement({
  name: 'extend-conversations',
  text: `
    WITH extended AS (
      SELECT c.id, c.position, read_state.*, coalesce(mine.muted, false) AS muted, coalesce(mine.favourite, false) AS favourite,
             mention_state.*, first_unread.id AS first_unread_id, last.*,
             c.bytes + ${lastMessageBytes} AS bytes
      FROM unnest($1::text[], $3::bigint[], $4::int[]) WITH ORDINALITY AS c (id, last_seq, bytes, position)
      ${memberOf('$2')}
      ${joinReadState('mine', 'c.last_seq')}
      ${joinMentionCount('mine', '$2', 'c.id', 'c.last_seq')}
      LEFT JOIN LATERAL (${selectFirstUnread}) first_unread ON true
      LEFT JOIN LATERAL (${selectLastMessage}) last ON true
    )
    ${selectPage('SELECT * FROM extended', '$5', 'position')}`,
  parameters: {
    ids: sql.arrayOf(conversationTable.id),
    account: memberTable.account,
    lastSeqs: sql.arrayOf(conversationTable.lastSeq),
    bytes: sql.arrayOf(sql.int4),
    /** One more than the page may have. */
    limit: sql.int8,
  },
  columns: {
    ...pageColumns,
    id: sql.notNull(conversationTable.id),
    position: sql.notNull(sql.int8),
    ...readStateColumns,
    muted: sql.notNull(memberTable.muted),
    favourite: sql.notNull(memberTable.favourite),
    ...mentionCountColumn,
    first_unread_id: sql.nullable(messageTable.id),
    // Of the last message; null if there is none.
    message_id: sql.nullable(messageTable.id),
    sender: sql.nullable(messageTable.sender),
    recipient: messageTable.recipient,
    ...body.nullableColumns,
    sent_at: sql.nullable(messageTable.sentAt),
    read: sql.nullable(sql.bool),
    bytes: sql.notNull(sql.int4),
  },
});

/** The columns of `extendConversations` that are null only if there is no last message. */
export const lastMessageColumns = ['message_id', 'sender', ...body.requiredColumns, 'sent_at', 'read'] as const;
