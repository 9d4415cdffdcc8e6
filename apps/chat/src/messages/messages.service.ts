import { Injectable } from '@nestjs/common';
import { type HistoryQuery, type Message, type UnreadMessage } from '@waggle/contracts';
import { ChatError, notThere } from '../errors';
import { ChannelWatchers } from '../realtime/channel-watchers';
import { Events } from '../realtime/events';
import { type FrameRequest } from '../realtime/frame-request';
import { newMessage, type Appended, type NewMessage, type Refusal } from './append-messages';
import { MessageQueue } from './message-queue';
import { MessagesStore } from './messages.store';

/** A message that is durable, and what is to be told of it. */
export type StoredMessage = NewMessage & Extract<Appended, { outcome: 'appended' }>;

@Injectable()
export class MessagesService {
  constructor(
    private readonly queue: MessageQueue,
    private readonly store: MessagesStore,
    private readonly watchers: ChannelWatchers,
    private readonly events: Events,
  ) {}

  /**
   * Stores the message and then tells whoever hears of it. It has its place in the queue when this returns, so messages
   * sent one after another keep that order without waiting for one another.
   *
   * @throws ServiceError as `refusals`, and `unavailable`
   */
  async send(sender: string, outgoing: Omit<NewMessage, 'id' | 'sender'>, cause: FrameRequest): Promise<void> {
    this.announce(await this.append(sender, outgoing), cause);
  }

  /** Stores the message. What is announced without waiting is told in the order of storing. @throws as `send` */
  async append(sender: string, outgoing: Omit<NewMessage, 'id' | 'sender'>): Promise<StoredMessage> {
    const message = newMessage(sender, outgoing);
    return stored(message, await this.queue.append(message));
  }

  announce(message: StoredMessage, cause: FrameRequest) {
    const { sender, conversationId, members, arrival } = message;
    if (arrival !== undefined) {
      const { conversation, accounts } = arrival;
      this.events.publish({ type: 'conversation-created', payload: conversation, to: accounts }, cause);
    }
    const to = { conversationId, members };
    if (arrival?.joined === true) {
      const payload = { conversation_id: conversationId, username: sender };
      this.events.publish({ type: 'member-added', payload, to }, cause);
    }
    const payload = toPayload(message);
    if (message.recipient !== null) {
      this.events.publish({ type: 'chat-message', payload, to }, cause);
      return;
    }
    this.events.publish({ type: 'chat-message', payload, to: { ...to, except: sender } }, cause);
    // Outside a dm one's own message is read from the start; in a dm it is when the other side says so.
    this.events.publish({ type: 'chat-message', payload: { ...payload, read: true }, to: [sender] }, cause);
  }

  /** @throws ServiceError `not-found` */
  async getHistory(account: string, query: HistoryQuery): Promise<Message[]> {
    const history = await this.store.findHistory(query.conversation_id, account, query.before, query.limit);
    if (history === undefined) throw notThere();
    if (history.watchable) this.watchers.watch(account, query.conversation_id);
    return history.messages;
  }

  listUnread(account: string): Promise<UnreadMessage[]> {
    return this.store.listUnread(account);
  }

  /** What was told before `acknowledged` is read, and nothing else. @throws ServiceError `not-found`, `unavailable` */
  async acknowledge(account: string, conversationId: string, cause: FrameRequest): Promise<void> {
    if (!(await this.queue.acknowledge({ conversationId, account }))) throw notThere();
    this.events.publish({ type: 'acknowledged', payload: { conversation_id: conversationId }, to: [account] }, cause);
  }
}

const refusals: Record<Refusal, () => ChatError> = {
  'not-found': notThere,
  'wrong-recipient': () => new ChatError('forbidden', 'to is not the other member of this dm'),
  'kept-out': () => new ChatError('forbidden', 'you were removed from this channel'),
  blocked: () => new ChatError('blocked', 'one of you has blocked the other'),
  'friends-only': () => new ChatError('friends-only', 'this account takes direct messages from friends only'),
};

/** @throws ServiceError as `refusals` */
export function refuse(refusal: Refusal): never {
  throw refusals[refusal]();
}

/** @throws ServiceError as `refusals` */
export function stored(message: NewMessage, appended: Appended): StoredMessage {
  return appended.outcome === 'appended' ? { ...message, ...appended } : refuse(appended.outcome);
}

function toPayload(message: StoredMessage): Message {
  return {
    id: message.id,
    conversation_id: message.conversationId,
    from: message.sender,
    to: message.recipient,
    content: message.content,
    timestamp: message.sentAt.toISOString(),
    read: false,
  };
}
