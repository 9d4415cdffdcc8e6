import { Inject, Injectable } from '@nestjs/common';
import { type Conversation } from '@waggle/contracts';
import { type ClientBase, type Pool } from 'pg';
import { POOL, inTransaction } from '../database';
import { ChatError } from '../errors';
import { appendMessages, newMessage } from '../messages/append-messages';
import { MessageQueue } from '../messages/message-queue';
import { MessagesService, refuse, stored } from '../messages/messages.service';
import { Events } from '../realtime/events';
import { type FrameRequest } from '../realtime/frame-request';
import { LockedPair } from '../relations/locked-pair';
import { ConversationsStore, type NewConversation } from './conversations.store';

/**
 * Makes conversations and tells their members, in the turn of the message queue: a message that another member adds at
 * once is told after the first one.
 */
@Injectable()
export class ConversationCreator {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly queue: MessageQueue,
    private readonly store: ConversationsStore,
    private readonly messages: MessagesService,
    private readonly events: Events,
  ) {}

  /**
   * A dm with its first message.
   * @returns false where the pair has one already; then nothing is stored
   * @throws ServiceError `blocked`, `friends-only`
   */
  createDm(creator: string, other: string, text: string, cause: FrameRequest): Promise<boolean> {
    return this.create({ type: 'dm', creator, other }, text, cause, async (client) => {
      const refusal = await (await LockedPair.lock(client, creator, other)).findDmRefusal(other);
      if (refusal !== undefined) refuse(refusal);
    });
  }

  /** A group with its first message. @throws ServiceError `blocked` where a member has blocked the creator */
  async createGroup(creator: string, members: readonly string[], text: string, cause: FrameRequest): Promise<void> {
    await this.create({ type: 'group', creator, members }, text, cause, async (client) => {
      const [blocker] = await this.store.findBlockersOf(client, creator, members);
      if (blocker !== undefined) throw new ChatError('blocked', `${blocker} has blocked you`);
    });
  }

  /** A channel, which begins without a message. */
  createChannel(creator: string, name: string): Promise<Conversation> {
    return this.queue.inTurn(async () => {
      const channel = await inTransaction(this.pool, async (client) => {
        const id = await this.store.insert(client, { type: 'channel', creator, name });
        if (id === undefined) throw new Error('a channel that is there before it is made');
        return this.store.getNew(client, id);
      });
      this.tell(channel);
      return channel;
    });
  }

  /** @param check throws what speaks against it */
  private create(
    conversation: NewConversation,
    text: string,
    cause: FrameRequest,
    check: (client: ClientBase) => Promise<void>,
  ): Promise<boolean> {
    return this.queue.inTurn(async () => {
      const created = await inTransaction(this.pool, async (client) => {
        await check(client);
        const id = await this.store.insert(client, conversation);
        return id === undefined ? undefined : this.begin(client, id, conversation.creator, text);
      });
      if (created === undefined) return false;
      this.tell(created.conversation, cause);
      this.messages.announce(created.message, cause);
      return true;
    });
  }

  private async begin(client: ClientBase, conversationId: string, creator: string, content: string) {
    const message = newMessage(creator, { conversationId, to: null, content });
    const [appended = refuse('not-found')] = await appendMessages(client, [message]);
    return { conversation: await this.store.getNew(client, conversationId), message: stored(message, appended) };
  }

  private tell(conversation: Conversation, cause?: FrameRequest) {
    this.events.publish({ type: 'conversation-created', payload: conversation, to: conversation.members }, cause);
  }
}
