import { Injectable } from '@nestjs/common';
import { notFound } from '../errors';
import { Delivery } from '../delivery/delivery';
import { type MessageContent } from '../log/append-messages';
import { type DirectConversations } from '../messages/direct-conversations';
import { MessagesService } from '../messages/messages.service';
import { framePrices } from '../realtime/frame-prices';
import { type FrameRequest } from '../realtime/frame-request';
import { ConversationCreation, type DmCreation } from './conversation-creation';
import { ConversationLists } from './conversation-lists';

/** Creates dms and groups with a first message, and sends messages to dms that exist already. */
@Injectable()
export class ConversationsService implements DirectConversations {
  constructor(
    private readonly creation: ConversationCreation,
    private readonly lists: ConversationLists,
    private readonly messages: MessagesService,
    private readonly delivery: Delivery,
  ) {}

  /**
   * Creates the dm of the caller and another account with a first message. If the dm exists already, replies with the
   * conversation, then sends the message to it.
   *
   * @throws ServiceError `forbidden`, `account-not-found`, `blocked`, `friends-only`, `unavailable`; `conflict` if
   * another message has the idempotency key
   */
  async createDm(recipient: string, firstMessage: MessageContent, origin: FrameRequest): Promise<void> {
    const dm = await this.findOrCreateDm(recipient, firstMessage, origin);
    // Delivering the new dm already replied to the request.
    if (dm.isNew) return;
    const conversation = await this.lists.find(dm.id, origin.account);
    await this.messages.send(dm.id, firstMessage, origin, {
      replyFirst: () => {
        origin.reply('conversation-created', conversation);
      },
    });
  }

  /** Implements `DirectConversations.sendDm`. */
  async sendDm(recipient: string, content: MessageContent, origin: FrameRequest): Promise<void> {
    const dm = await this.findOrCreateDm(recipient, content, origin, () => {
      if (content.replyTo !== undefined) throw notFound();
      // A `chat-message` frame paid for a plain message only.
      origin.charge(framePrices.creation, { alreadyPaid: framePrices.plain });
    });
    // The message was stored with the new dm.
    if (dm.isNew) return;
    await this.messages.send(dm.id, content, origin);
  }

  /**
   * Creates a group with a first message. If the account already created it with the same idempotency key, replies with
   * the stored `conversation-created` event and the first message instead.
   *
   * @throws ServiceError `too-large`, `account-not-found`, `blocked`, `friends-only`, `unavailable`; `conflict` if
   * another group or message has the key
   */
  async createGroup(invited: readonly string[], firstMessage: MessageContent, origin: FrameRequest): Promise<void> {
    const group = await this.creation.createGroupIfAbsent(invited, firstMessage, origin);
    // Delivering the new group already replied to the request.
    if (group.isNew) return;
    const { firstEntry } = group;
    // The group and its first message share the idempotency key, so `send` finds the message already stored and only
    // replies.
    await this.messages.send(firstEntry.stream, firstMessage, origin, {
      replyFirst: () => {
        this.delivery.replyWithStored(firstEntry, origin);
      },
    });
  }

  /** Finds the dm of the caller and another account, or creates it with a first message. */
  private async findOrCreateDm(
    recipient: string,
    firstMessage: MessageContent,
    origin: FrameRequest,
    beforeCreation?: () => void,
  ): Promise<DmCreation> {
    const id = await this.creation.findDm(origin.account, recipient);
    if (id !== undefined) return { isNew: false, id };
    beforeCreation?.();
    return this.creation.createDmIfAbsent(recipient, firstMessage, origin);
  }
}
