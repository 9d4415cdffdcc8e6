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
    let id = await this.conversationCreation.findDm(account, other);
    if (id === undefined) {
      const creation = await this.conversationCreation.createDmIfAbsent(other, first, origin);
      // The delivery of the new dm was the reply.
      if (creation.isNew) return;
      id = creation.id;
    }
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
      const creation = await this.conversationCreation.createDmIfAbsent(other, content, origin);
      // The dm was created with the message.
      if (creation.isNew) return;
      id = creation.id;
    }
    await this.messages.send(id, content, origin);
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
    // The delivery of the new group was the reply.
    if (creation.isNew) return;
    const { firstEntry } = creation;
    const replyFirst = (): void => {
      this.delivery.repeat(firstEntry, origin);
    };
    // The group and its first message share the idempotency key, so this message is a repetition: it is not stored,
    // only replied to.
    await this.messages.send(firstEntry.stream, first, origin, { replyFirst });
  }
}
