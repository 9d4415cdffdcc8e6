import { Injectable } from '@nestjs/common';
import { Delivery } from '../delivery/delivery';
import { type DirectConversations } from '../messages/direct-conversations';
import { MessagesService } from '../messages/messages.service';
import { type MessageContent } from '../log/append-messages';
import { framePrices } from '../realtime/frame-limits';
import { type FrameRequest } from '../realtime/frame-request';
import { ConversationCreation } from './conversation-creation';
import { ConversationLists } from './conversation-lists';

/** Creates dms and groups with a first message, and sends messages to dms that exist already. */
@Injectable()
export class ConversationsService implements DirectConversations {
  constructor(
    private readonly conversationCreation: ConversationCreation,
    private readonly lists: ConversationLists,
    private readonly messages: MessagesService,
    private readonly delivery: Delivery,
  ) {}

  /**
   * Creates the dm of two accounts with a first message. If they have one already, sends the message to it, and replies
   * with the conversation.
   *
   * @throws ServiceError `forbidden`, `account-not-found`, `blocked`, `friends-only`, `unavailable`; `conflict` if
   * another message has the idempotency key
   */
  async openDm(other: string, first: MessageContent, origin: FrameRequest): Promise<void> {
    const { account } = origin;
    const id =
      (await this.conversationCreation.findDm(account, other)) ??
      (await this.conversationCreation.createDm(other, first, origin));
    // If it was created, its delivery was the reply.
    if (id === undefined) return;
    const opened = await this.lists.find(id, account);
    const replyFirst = (): void => {
      origin.reply('conversation-created', opened);
    };
    await this.messages.send(id, first, origin, { replyFirst });
  }

  async sendDm(other: string, content: MessageContent, origin: FrameRequest): Promise<void> {
    const { account } = origin;
    let id = await this.conversationCreation.findDm(account, other);
    if (id === undefined) {
      origin.charge(framePrices.creation, framePrices.plain);
      id = await this.conversationCreation.createDm(other, content, origin);
    }
    if (id !== undefined) await this.messages.send(id, content, origin);
  }

  /**
   * Creates a group with a first message. If the account already created it with the same idempotency key, creates
   * nothing: the reply is the stored `conversation-created` event and the first message.
   *
   * @throws ServiceError `too-large`, `account-not-found`, `blocked`, `friends-only`, `unavailable`; `conflict` if
   * another group or message has the key
   */
  async createGroup(invited: readonly string[], first: MessageContent, origin: FrameRequest): Promise<void> {
    const creation = await this.conversationCreation.createGroupIfAbsent(invited, first, origin);
    if (creation === undefined) return;
    // The group and its first message share the idempotency key, so this message is a repetition: it is not stored,
    // only replied to.
    const conversationId = creation.stream;
    const replyFirst = (): void => {
      this.delivery.repeat(creation, origin);
    };
    await this.messages.send(conversationId, first, origin, { replyFirst });
  }
}
