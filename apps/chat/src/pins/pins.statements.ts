import { maxPins, quoteCharacters } from '@waggle/contracts';
import { sql, Statement } from '@waggle/service';
import { memberTable } from '../log/member.entity';
import { messageTable } from '../log/message.entity';
import { pinTable } from '../log/pin.entity';

const ofMessage = { conversationId: messageTable.conversationId, id: messageTable.id };

/** Returns whether a message is pinned, and how many are in its conversation; no row if the message is deleted. */
export const pinOfMessage = new Statement({
  name: 'pin-of-message',
  text: `
    SELECT message.seq, pin.seq IS NOT NULL AS is_pinned,
           (SELECT count(*)::int FROM pin WHERE conversation_id = $1) AS pin_count
    FROM message LEFT JOIN pin ON pin.conversation_id = $1 AND pin.seq = message.seq
    WHERE message.conversation_id = $1 AND message.id = $2 AND message.deleted_at IS NULL`,
  parameters: ofMessage,
  columns: { seq: sql.notNull(messageTable.seq), is_pinned: sql.notNull(sql.bool), pin_count: sql.notNull(sql.int4) },
});

export const insertPin = new Statement({
  name: 'insert-pin',
  text: 'INSERT INTO pin (conversation_id, seq, account, at) VALUES ($1, $2, $3, clock_timestamp())',
  parameters: { conversationId: pinTable.conversationId, seq: pinTable.seq, account: pinTable.account },
  columns: {},
});

export const deletePin = new Statement({
  name: 'delete-pin',
  text: 'DELETE FROM pin WHERE conversation_id = $1 AND seq = $2',
  parameters: { conversationId: pinTable.conversationId, seq: pinTable.seq },
  columns: {},
});

/**
 * Returns the pinned messages of a conversation, the last pinned first; one row of nulls if there are none, and no row
 * if the account may not read the conversation.
 */
export const pinsOfConversation = new Statement({
  name: 'pins-of-conversation',
  text: `
    SELECT pinned.*
    FROM conversation c
    LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = $2
    LEFT JOIN LATERAL (
      SELECT message.id, message.seq, message.sender, left(message.content, ${quoteCharacters}) AS content, message.sent_at,
             pin.account, pin.at
      FROM pin CROSS JOIN LATERAL (
        SELECT id, seq, sender, content, sent_at FROM message
        WHERE conversation_id = c.id AND seq = pin.seq AND deleted_at IS NULL LIMIT 1
      ) message
      WHERE pin.conversation_id = c.id
    ) pinned ON true
    WHERE c.id = $1 AND (c.type = 'channel' OR mine.status = 'member')
    ORDER BY pinned.at DESC, pinned.seq DESC LIMIT ${maxPins}`,
  parameters: { conversationId: memberTable.conversationId, account: memberTable.account },
  columns: {
    id: sql.nullable(messageTable.id),
    seq: sql.nullable(messageTable.seq),
    sender: sql.nullable(messageTable.sender),
    content: sql.nullable(messageTable.content),
    sent_at: sql.nullable(messageTable.sentAt),
    account: sql.nullable(pinTable.account),
    at: sql.nullable(pinTable.at),
  },
});
