import { Inject, Injectable } from '@nestjs/common';
import { maxPins, type Pin, type ServerPayload } from '@waggle/contracts';
import { isJoined, POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { ChatError, notFound } from '../errors';
import { conversationOfMessage } from '../log/conversation-of-message';
import { ConversationTransactions } from '../membership/conversation-transactions';
import { isAtLeast } from '../membership/locked-conversation';
import { authorizeMessage } from '../messages/authorize-messages';
import { type FrameRequest } from '../realtime/frame-request';
import { deletePin, insertPin, pinOfMessage, pinsOfConversation } from './pins.statements';

/** Pins messages. */
@Injectable()
export class PinsService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly transactions: ConversationTransactions,
  ) {}

  /**
   * Pins or unpins a message: in a dm either account, elsewhere a moderator. If nothing changes, only this connection
   * gets a reply.
   *
   * @throws ChatError `not-found` as for deletion; `forbidden`; `too-large` if too many are pinned; in a dm `blocked`,
   * `friends-only` as for a new message
   */
  async change(id: string, pinned: boolean, request: FrameRequest): Promise<void> {
    const { account } = request;
    const found = await conversationOfMessage.find(this.pool, { id });
    if (found === undefined) throw notFound();
    const { conversation_id: conversationId } = found;
    const payload: ServerPayload<'pins-changed'> = { id, conversation_id: conversationId, username: account, pinned };
    let isUnchanged: boolean | undefined;
    await this.transactions.change(conversationId, request, async ({ client, type }, role) => {
      if (type === 'dm') await authorizeMessage(client, { conversationId, sender: account });
      else if (!isAtLeast(role, 'moderator')) throw new ChatError('forbidden', 'only a moderator may pin messages');
      const stored = await pinOfMessage.find(client, { conversationId, id });
      // A concurrent request may have deleted it.
      if (stored === undefined) throw notFound();
      const { seq, is_pinned, pin_count } = stored;
      isUnchanged = is_pinned === pinned;
      if (isUnchanged) return { events: [] };
      if (pinned && pin_count >= maxPins)
        throw new ChatError('too-large', `a conversation has at most ${maxPins} pinned messages`);
      if (pinned) await insertPin.execute(client, { conversationId, seq, account });
      else await deletePin.execute(client, { conversationId, seq });
      return { events: [{ type: 'pins-changed', payload, to: {} }], isQuiet: true };
    });
    if (isUnchanged === true) request.reply('pins-changed', payload);
  }

  /** Returns the pinned messages of a conversation, the last pinned first. @throws ChatError `not-found` */
  async list(conversationId: string, account: string): Promise<Pin[]> {
    const rows = await pinsOfConversation.query(this.pool, { conversationId, account });
    if (rows.length === 0) throw notFound();
    return rows.flatMap((row) => {
      if (!isJoined(row, ['id', 'seq', 'sender', 'content', 'sent_at', 'account', 'at'])) return [];
      const { id, seq, sender, content, sent_at, account: by, at } = row;
      const message = { id, seq: Number(seq), from: sender, content, timestamp: sent_at.toISOString() };
      return [{ ...message, pinned_by: by, pinned_at: at.toISOString() }];
    });
  }
}
