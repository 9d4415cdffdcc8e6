import { type Queryable, sql, Statement } from '@waggle/service';

const conversationOfMessage = new Statement({
  name: 'conversation-of-message',
  text: 'SELECT conversation_id FROM message WHERE id = $1',
  parameters: { messageId: sql.text },
  columns: { conversation_id: sql.text },
});

const senderOfMessage = new Statement({
  name: 'sender-of-message',
  text: 'SELECT sender FROM message WHERE id = $1 AND conversation_id = $2 AND deleted_at IS NULL',
  parameters: { messageId: sql.text, conversationId: sql.text },
  columns: { sender: sql.text },
});

const markDeleted = new Statement({
  name: 'delete-message',
  text: 'UPDATE message SET deleted_at = now() WHERE id = $1 AND conversation_id = $2',
  parameters: { messageId: sql.text, conversationId: sql.text },
  columns: {},
});

/** Returns the conversation of a message, also of a deleted one. */
export async function findConversationOf(client: Queryable, messageId: string): Promise<string | undefined> {
  return (await conversationOfMessage.find(client, { messageId }))?.conversation_id;
}

/** Returns the sender of a message of the conversation that is not deleted. */
export async function findSender(
  client: Queryable,
  message: { conversationId: string; messageId: string },
): Promise<string | undefined> {
  return (await senderOfMessage.find(client, message))?.sender;
}

/**
 * Marks a message as deleted. The row keeps its sequence number and text until retention removes it, so each statement that returns
 * messages to clients has to leave out those with `deleted_at`.
 */
export async function deleteMessage(
  client: Queryable,
  message: { conversationId: string; messageId: string },
): Promise<void> {
  await markDeleted.execute(client, message);
}
