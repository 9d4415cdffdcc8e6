import { Injectable } from '@nestjs/common';
import { Delivery } from '../delivery/delivery';
import { type DirectConversations } from '../messages/direct-conversations';
import { MessagesService } from '../messages/messages.service';
import { type MessageContent } from '../messages/send-result';
import { type FrameRequest } from '../realtime/frame-request';
import { ConversationCreator } from './conversation-creator';
import { ConversationLists } from './conversation-lists';

/** Creates dms and groups, each with a first message. */
@Injectable()
export class ConversationsService implements DirectConversations {
  constructor(
    private readonly creator: ConversationCreator,
    private readonly lists: ConversationLists,
    private readonly messages: MessagesService,
    private readonly delivery: Delivery,
  ) {}

  /**
   * Creates the dm of two accounts with a first message. If they have one already, the message goes into that, and the conversation is
   * the reply to the request.
   *
   * @throws ServiceError `forbidden`, `account-not-found`, `blocked`, `friends-only`, `unavailable`
   */
  async openDm(account: string, other: string, first: MessageContent, origin: FrameRequest): Promise<void> {
    const id = await this.creator.findOrCreateDm(account, other, first, origin);
    if (id === undefined) return;
    const opened = await this.lists.find(id, account);
    await this.messages.send(id, first, origin, () => {
      origin.reply('conversation-created', opened);
    });
  }

  async writeTo(other: string, content: MessageContent, origin: FrameRequest): Promise<void> {
    const id = await this.creator.findOrCreateDm(origin.caller.account, other, content, origin);
    if (id !== undefined) await this.messages.send(id, content, origin);
  }

  /**
   * Creates a group with a first message. If the creator has created it with the same idempotency key before, only the request gets a reply.
   *
   * @throws ServiceError `too-large`, `account-not-found`, `blocked`, `friends-only`, `unavailable`; `conflict` if another group has the key
   */
  async createGroup(
    creator: string,
    invited: readonly string[],
    first: MessageContent,
    origin: FrameRequest,
  ): Promise<void> {
    const creation = await this.creator.findOrCreateGroup(creator, invited, first, origin);
    if (creation === undefined) return;
    // The first message has the same key, and is recognized by it.
    await this.messages.send(creation.stream, first, origin, () => {
      this.delivery.repeat(creation, origin);
    });
  }
}
