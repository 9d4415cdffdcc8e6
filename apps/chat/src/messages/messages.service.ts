import { Injectable } from '@nestjs/common';
import { type HistoryQuery, type PlacedMessage, type PlacedUnreadMessage } from '@waggle/contracts';
import { ChatError, notThere } from '../errors';
import { type Page } from '../lists/page';
import { priceOfChange } from '../rate-limits/frame-price';
import { type FrameRequest } from '../realtime/frame-request';
import { type Entry } from '../streams/entry';
import { Streams } from '../streams/streams';
import { Following } from './following';
import { MessageQueue } from './message-queue';
import { MessagesStore } from './messages.store';
import { newMessage, type NewMessage } from './new-message';
import { refused } from './refusals';

@Injectable()
export class MessagesService {
  constructor(
    private readonly queue: MessageQueue,
    private readonly store: MessagesStore,
    private readonly following: Following,
    private readonly streams: Streams,
  ) {}

  /**
   * Stores the message and then tells whoever hears of it. It has its place in the queue when this returns, so messages
   * sent one after another keep that order without waiting for one another.
   *
   * @param answerFirst called ahead of it: what was asked for and is there, the dm or group that it is in
   * @throws ServiceError as `refused`, `unavailable`, and `conflict` where its mark is that of another message
   */
  async send(
    sender: string,
    outgoing: Omit<NewMessage, 'id' | 'sender'>,
    cause: FrameRequest,
    answerFirst?: () => void,
  ): Promise<void> {
    const written = await this.queue.write(newMessage(sender, outgoing));
    if (!('entries' in written)) throw refused(written.outcome);
    const { outcome, entries } = written;
    if (outcome === 'repeated' && !entries.some((entry) => hasContent(entry, outgoing.content))) {
      throw new ChatError('conflict', 'another message was sent with this client_id');
    }
    // The sender joined a channel, which is a change besides the message. A dm that returns to the other side costs nothing more.
    if (outcome === 'written' && entries.some(isJoin)) cause.chargeAfterwards(priceOfChange);
    // To somebody who had left it, the announcement brings it back.
    if (entries.length === 1) answerFirst?.();
    for (const entry of entries) {
      if (outcome === 'written') this.streams.add(entry, cause);
      else this.streams.repeat(entry, cause);
    }
  }

  /** @returns the newest messages before an instant, and that of the next page. @throws ServiceError `not-found` */
  async getHistory(account: string, query: HistoryQuery): Promise<Page<PlacedMessage>> {
    const { conversation_id: id, before, limit } = query;
    const history = await this.following.followWhatIsFound(account, async () => {
      const found = await this.store.findHistory(id, account, before, limit);
      return { found, followable: found?.mayFollow === true ? [id] : [] };
    });
    if (history === undefined) throw notThere();
    const { messages, hasNext } = history;
    return { items: messages, next: hasNext ? messages[0]?.timestamp : undefined };
  }

  listUnread(account: string, cursor: string | undefined): Promise<Page<PlacedUnreadMessage>> {
    return this.store.listUnread(account, cursor);
  }

  /** What was told before `acknowledged` is read, and nothing else. @throws ServiceError `not-found`, `unavailable` */
  async acknowledge(account: string, conversationId: string, cause: FrameRequest): Promise<void> {
    const acknowledged = await this.queue.acknowledge({ conversationId, account });
    if (acknowledged === undefined) throw notThere();
    const payload = { conversation_id: conversationId };
    this.streams.mention(account, { type: 'acknowledged', payload, to: [account] }, cause);
    const { seq, reader } = acknowledged;
    if (reader === null) return;
    const receipt = { conversation_id: conversationId, username: account, seq };
    this.streams.mention(reader, { type: 'messages-read', payload: receipt, to: [reader] });
  }
}

/** Whether an entry, stored with a message, says that the sender has joined the channel. */
function isJoin(entry: Entry): boolean {
  return 'told' in entry && entry.told.some(({ type }) => type === 'member-added');
}

/** Whether an entry is a message of this text; where the text is no longer told, it may be. */
function hasContent(entry: Entry, content: string): boolean {
  return 'told' in entry || entry.message.content === content;
}
