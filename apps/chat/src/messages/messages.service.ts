import { Injectable } from '@nestjs/common';
import { type HistoryQuery, type Message, type UnreadMessage } from '@waggle/contracts';
import { notThere } from '../errors';
import { ChannelWatchers } from '../realtime/channel-watchers';
import { Events } from '../realtime/events';
import { type FrameRequest } from '../realtime/frame-request';
import { newMessage, type NewMessage } from './append-messages';
import { eventsOf, type StoredMessage } from './message-events';
import { MessageQueue } from './message-queue';
import { MessagesStore } from './messages.store';
import { stored } from './refusals';

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
   * @throws ServiceError as `stored`, and `unavailable`
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
    for (const event of eventsOf(message)) this.events.publish(event, cause);
  }

  /** @throws ServiceError `not-found` */
  async getHistory(account: string, query: HistoryQuery): Promise<Message[]> {
    const { conversation_id: id, before, limit } = query;
    const history = await this.watchers.watchWhatIsFound(account, async () => {
      const found = await this.store.findHistory(id, account, before, limit);
      return { found, watchable: found?.watchable === true ? [id] : [] };
    });
    if (history === undefined) throw notThere();
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
