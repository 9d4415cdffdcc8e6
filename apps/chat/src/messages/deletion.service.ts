import { Inject, Injectable } from '@nestjs/common';
import { POOL, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { ChatError, notFound } from '../errors';
import { isAtLeast } from '../membership/locked-conversation';
import { type FrameRequest } from '../realtime/frame-request';
import { ConversationTransactions } from '../membership/conversation-transactions';
import { conversationOfMessage } from '../log/conversation-of-message';
import { messageTable } from '../log/message.entity';

/**
 * Marks a message as deleted, and removes its pin and its mentions. Returns no row if it was deleted before. The row of
 * the message keeps its text until retention removes it, so every statement that returns messages to clients must
 * exclude rows with `deleted_at`, except for the export of their sender.
 */
const markDeleted = new Statement({
  name: 'delete-message',
  text: `
    WITH deleted AS (
      UPDATE message SET deleted_at = now() WHERE id = $1 AND conversation_id = $2 AND deleted_at IS NULL RETURNING seq
    ), unpinned AS (
      DELETE FROM pin USING deleted WHERE pin.conversation_id = $2 AND pin.seq = deleted.seq
    ), mentions AS (
      DELETE FROM mention USING deleted WHERE conversation_id = $2 AND message_seq = deleted.seq
    )
    SELECT seq FROM deleted`,
  parameters: { id: messageTable.id, conversationId: messageTable.conversationId },
  columns: { seq: messageTable.seq },
});

/** Deletes messages. */
@Injectable()
export class DeletionService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly transactions: ConversationTransactions,
  ) {}

  /**
   * Deletes a message of the caller, or any message in a group or channel that the caller moderates (admins moderate
   * every channel).
   * @throws ChatError `not-found` if the message does not exist, was deleted, or is in a conversation that the caller
   * may not see; `forbidden` if the caller may not delete it
   */
  async deleteMessage(id: string, request: FrameRequest): Promise<void> {
    const message = await conversationOfMessage.find(this.pool, { id });
    if (message === undefined) throw notFound();
    const { conversation_id: conversationId, sender } = message;
    await this.transactions.change(conversationId, request, async ({ client, type }, role) => {
      const moderates = type !== 'dm' && isAtLeast(role, 'moderator');
      if (sender !== request.account && !moderates) throw new ChatError('forbidden', 'the message is not yours');
      // A concurrent request may have deleted it.
      if ((await markDeleted.find(client, { id, conversationId })) === undefined) throw notFound();
      return { events: [{ type: 'message-deleted', payload: { id }, to: {} }] };
    });
  }
}
