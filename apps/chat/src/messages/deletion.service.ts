import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { ChatError, notFound } from '../errors';
import { findConversationOf } from '../log/message-deletion';
import { type FrameRequest } from '../realtime/frame-request';
import { ConversationTransactions } from '../membership/conversation-transactions';
import { isAtLeast } from '../membership/role';

/** Deletes messages. */
@Injectable()
export class DeletionService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly transactions: ConversationTransactions,
  ) {}

  /**
   * Deletes a message of the caller, or any message in a group or channel that the caller moderates (admins moderate every channel).
   * @throws ChatError `not-found` if it does not exist, is deleted or is in a conversation that the caller may not see; `forbidden`
   */
  async deleteMessage(id: string, request: FrameRequest): Promise<void> {
    const conversationId = await findConversationOf(this.pool, id);
    if (conversationId === undefined) throw notFound();
    await this.transactions.change(conversationId, request, async (conversation, actor) => {
      const sender = await conversation.findSender(id);
      if (sender === undefined) throw notFound();
      const moderates = conversation.type !== 'dm' && isAtLeast(actor.role, 'moderator');
      if (sender !== actor.account && !moderates) throw new ChatError('forbidden', 'the message is not yours');
      await conversation.deleteMessage(id);
      return { events: [{ type: 'message-deleted', payload: { id }, to: {} }] };
    });
  }
}
