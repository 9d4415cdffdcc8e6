import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, POOL, ThrottledLog } from '@waggle/service';
import { type Pool } from 'pg';
import { Delivery } from '../delivery/delivery';
import { ChatError, notFound } from '../errors';
import { newMessage, type MessageContent, type NewMessage } from '../log/append-messages';
import { conversationOfMessage } from '../log/conversation-of-message';
import { eventsOf, isRecipient, type Entry } from '../log/entry';
import { mayRepeat, type MessageBody } from '../log/message-body';
import { priceOfChange } from '../realtime/frame-prices';
import { type FrameRequest } from '../realtime/frame-request';
import { storeUnread, type AcknowledgedPosition, type Acknowledgment, type ReadPosition } from './acknowledgment';
import { toChatError } from './authorize-messages';
import { GroupReceipts } from './group-receipts';
import { MessageQueue } from './message-queue';

/** How often an acknowledgment counts what is unread at most, because messages are delivered while it does. */
const maxCounts = 3;

/** Sends and acknowledges messages. */
@Injectable()
export class MessagesService {
  private readonly failures: ThrottledLog;

  constructor(
    private readonly queue: MessageQueue,
    private readonly delivery: Delivery,
    private readonly receipts: GroupReceipts,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = ThrottledLog.errors(logger, 'what was delivered during an acknowledgment stays unread');
  }

  /**
   * Stores a message and delivers it. It is queued synchronously, so the next message need not wait for this one to
   * keep the order.
   *
   * @param replyFirst replies with the existing conversation, before the message is delivered; not called if an entry
   * stored with the message announces the conversation to the sender
   * @throws ChatError `not-found` (also of the message that it replies to), `forbidden` (banned from the channel),
   * `blocked`, `friends-only`, `unavailable`; `conflict` if another message has its idempotency key
   */
  send(
    conversationId: string,
    content: MessageContent,
    origin: FrameRequest,
    { replyFirst }: { replyFirst?: () => void } = {},
  ): Promise<void> {
    const message = newMessage(origin.account, conversationId, content);
    return this.delivery.track(this.storeAndDeliver(message, origin, replyFirst));
  }

  private async storeAndDeliver(
    message: NewMessage,
    origin: FrameRequest,
    replyFirst: (() => void) | undefined,
  ): Promise<void> {
    const result = await this.queue.write(message);
    if (result.outcome === 'rejected') throw toChatError(result.error);
    const { outcome, entries } = result;
    if (outcome === 'repeated' && !mayRepeat(message, bodyOf(entries))) {
      throw new ChatError('conflict', 'another message was sent with this client_id');
    }
    // A join costs as much as one by a frame of its own. Showing a dm again is free.
    if (outcome === 'stored' && entries.some(isJoin)) origin.chargeAfterwards(priceOfChange);
    // Each mention is delivered to all, and counted for an account.
    const { mentions } = bodyOf(entries);
    if (outcome === 'stored' && mentions !== undefined) origin.chargeAfterwards(mentions.length);
    if (!entries.some((entry) => announces(entry, message.sender))) replyFirst?.();
    if (outcome === 'stored') this.delivery.deliverCommitted(entries, [origin]);
    else for (const entry of entries) this.delivery.replyWithStored(entry, origin);
  }

  /**
   * Marks the messages that this connection received as read. Without the capability `sync` it marks all stored ones,
   * because the client may have fetched them over REST.
   *
   * Clients count everything that they receive before the event `acknowledged` as read. A message that is delivered
   * between the write and this event would stay unread here, so a second write marks it. Its failure is no error of the
   * request, which has its reply: the message stays unread until the next acknowledgment.
   *
   * @throws ChatError `not-found`, `unavailable`
   */
  async acknowledge(conversationId: string, origin: FrameRequest): Promise<void> {
    const { account, connection } = origin;
    const receivedSeq = () => this.delivery.receivedSeq(connection, conversationId);
    const seqAtRequest = connection.has('sync') ? receivedSeq() : null;
    const first = await this.queue.acknowledge({ conversationId, account, deliveredSeq: seqAtRequest, upToSeq: null });
    if (first === null) throw notFound();
    this.broadcastAcknowledged(first, origin);
    this.broadcastPosition(first, origin);
    this.broadcastReceipt(first);
    const seqAfterWrite = receivedSeq();
    if (seqAfterWrite <= first.acknowledgedSeq) return;
    try {
      const second = await this.queue.acknowledge({
        conversationId,
        account,
        deliveredSeq: seqAfterWrite,
        upToSeq: null,
      });
      // Without the origin: the request has its reply.
      if (second === null) return;
      this.broadcastPosition(second);
      this.broadcastReceipt(second);
    } catch (error) {
      this.failures.log(error);
    }
  }

  /**
   * Marks messages up to a sequence number as read. The event `acknowledged` follows only if nothing is unread, because
   * clients without the capability `sync` count everything before it as read.
   *
   * @throws ChatError `not-found`, `unavailable`
   */
  async acknowledgeUpTo(conversationId: string, upToSeq: number, origin: FrameRequest): Promise<void> {
    const { account, connection } = origin;
    const acknowledgment: Acknowledgment = { conversationId, account, deliveredSeq: null, upToSeq };
    for (let count = 1; ; count += 1) {
      const position = await this.queue.acknowledge(acknowledgment);
      if (position === null) throw notFound();
      const isRead = position.unreadCount === 0;
      // A message that was delivered during the write is not counted. It may never be, if the database lost it.
      const isOutdated = this.delivery.receivedSeq(connection, conversationId) > position.lastSeq;
      if (isRead && isOutdated && count < maxCounts) continue;
      if (isRead && !isOutdated) this.broadcastAcknowledged(position, origin);
      this.broadcastPosition(position, origin);
      this.broadcastReceipt(position);
      return;
    }
  }

  /**
   * Marks a message and all later ones as unread. No receipt is taken back. @throws ChatError `not-found`, also if the
   * caller only reads the channel
   */
  async markUnread(id: string, origin: FrameRequest): Promise<void> {
    const found = await conversationOfMessage.find(this.pool, { id });
    const { account } = origin;
    const position = found && (await storeUnread(this.pool, { conversationId: found.conversation_id, id, account }));
    if (position === undefined) throw notFound();
    this.broadcastPosition(position, origin);
  }

  private broadcastAcknowledged(
    { conversationId, account, acknowledgedSeq }: ReadPosition,
    origin: FrameRequest,
  ): void {
    const payload = { conversation_id: conversationId };
    this.delivery.broadcast(account, { type: 'acknowledged', payload, to: [account] }, origin, acknowledgedSeq);
  }

  /** Broadcasts to an account how far it has read. */
  private broadcastPosition(position: ReadPosition, origin?: FrameRequest): void {
    const { conversationId: conversation_id, account, readSeq, lastSeq, unreadCount } = position;
    const rich = { mention_count: position.mentionCount };
    const payload = { conversation_id, read_seq: readSeq, unread_count: unreadCount, last_seq: lastSeq };
    this.delivery.broadcast(account, { type: 'read-position', payload, rich, to: [account] }, origin, lastSeq);
  }

  /** Broadcasts to others how far an account has read. */
  private broadcastReceipt(position: AcknowledgedPosition): void {
    const { conversationId: conversation_id, account, receiptRecipient, receiptSeq, advancesGroupReceipt } = position;
    if (advancesGroupReceipt) this.receipts.broadcastSoon(conversation_id, account);
    if (receiptRecipient === null) return;
    const payload = { conversation_id, username: account, seq: receiptSeq };
    this.delivery.broadcast(receiptRecipient, { type: 'messages-read', payload, to: [receiptRecipient] });
  }
}

/** Returns whether an entry that was stored with a message makes its sender a member of the channel. */
function isJoin(entry: Entry): boolean {
  return 'events' in entry && entry.events.some(({ type }) => type === 'member-added');
}

/**
 * Returns whether an entry announces its conversation to an account that joined it, or to which a dm that it left is
 * shown again.
 */
function announces(entry: Entry, account: string): boolean {
  return eventsOf(entry).some(({ type, to }) => type === 'conversation-created' && isRecipient(to, account));
}

/** Returns the body of the message that these entries were stored with: the last entry is the message. */
function bodyOf(entries: readonly Entry[]): MessageBody {
  const entry = entries.at(-1);
  if (entry === undefined || !('message' in entry)) throw new Error('entries without a message');
  return entry.message;
}
