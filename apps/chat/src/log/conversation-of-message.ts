import { Statement } from '@waggle/service';
import { messageTable } from './message.entity';

/** Finds the conversation and sender of a message that is not deleted. Searches every partition. */
export const conversationOfMessage = new Statement({
  name: 'conversation-of-message',
  text: 'SELECT conversation_id, sender FROM message WHERE id = $1 AND deleted_at IS NULL',
  parameters: { id: messageTable.id },
  columns: { conversation_id: messageTable.conversationId, sender: messageTable.sender },
});
