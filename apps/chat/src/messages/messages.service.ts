import { Injectable } from '@nestjs/common';
import { type HistoryQuery, type Message, type UnreadMessage } from '@waggle/contracts';
import { ChatError } from '../errors';
import { Events } from '../realtime/events';
import { type FrameRequest } from '../realtime/frame-request';
import { MessageQueue } from './message-queue';
import { noSuchConversation } from './not-found';
import { MessagesStore, newMessage, type Appended, type NewMessage } from './messages.store';

@Injectable()
export class MessagesService {
  constructor(
    private readonly queue: MessageQueue,
    private readonly store: MessagesStore,
    private readonly events: Events,
  ) {}

  /**
   * Stores the message and then tells every member. It has its place in the queue when this returns, so messages sent
   * one after another keep that order without waiting for one another.
   *
   * @throws ServiceError `not-found`, `forbidden`, `unavailable`
   */
  async send(sender: string, outgoing: Omit<NewMessage, 'id' | 'sender'>, cause: FrameRequest): Promise<void> {
    const message = newMessage(sender, outgoing);
    this.announce(message, await this.queue.append(message), cause);
  }

  /** Tells the members of a stored message. @throws ServiceError `not-found`, `forbidden` when it was refused. */
  announce(message: NewMessage, appended: Appended, cause: FrameRequest) {
    if (appended.outcome === 'not-found') throw noSuchConversation();
    if (appended.outcome === 'wrong-recipient')
      throw new ChatError('forbidden', 'to is not the other member of this dm');
    const { members, recipient } = appended;
    const payload = toPayload(message, appended);
    if (recipient !== null) {
      this.events.publish({ type: 'chat-message', payload, to: members, cause });
      return;
    }
    const others = members.filter((name) => name !== message.sender);
    this.events.publish({ type: 'chat-message', payload, to: others, cause });
    // Outside a dm one's own message is read from the start; in a dm it is when the other side says so.
    this.events.publish({ type: 'chat-message', payload: { ...payload, read: true }, to: [message.sender], cause });
  }

  /** @throws ServiceError `not-found` */
  async getHistory(account: string, query: HistoryQuery): Promise<Message[]> {
    const messages = await this.store.findHistory(query.conversation_id, account, query.before, query.limit);
    if (messages === undefined) throw noSuchConversation();
    return messages;
  }

  listUnread(account: string): Promise<UnreadMessage[]> {
    return this.store.listUnread(account);
  }

  /** @throws ServiceError `not-found` */
  async acknowledge(account: string, conversationId: string, cause: FrameRequest): Promise<void> {
    if (!(await this.store.acknowledge(conversationId, account))) throw noSuchConversation();
    this.events.publish({ type: 'acknowledged', payload: { conversation_id: conversationId }, to: [account], cause });
  }
}

function toPayload(message: NewMessage, appended: Extract<Appended, { outcome: 'appended' }>): Message {
  return {
    id: message.id,
    conversation_id: message.conversationId,
    from: message.sender,
    to: appended.recipient,
    content: message.content,
    timestamp: appended.sentAt.toISOString(),
    read: false,
  };
}
