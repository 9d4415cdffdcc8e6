import { Injectable } from '@nestjs/common';
import { Delivery } from '../delivery/delivery';
import { ChatError, notFound } from '../errors';
import { eventsOf, isRecipient, type Entry } from '../log/entry';
import { isSameBody, type MessageBody } from '../log/message-body';
import { priceOfChange } from '../realtime/frame-limits';
import { type FrameRequest } from '../realtime/frame-request';
import { type Acknowledgment, type ReadPosition } from './acknowledgment';
import { toChatError } from './authorize-messages';
import { MessageQueue } from './message-queue';
import { newMessage, type MessageContent, type NewMessage } from '../log/append-messages';

/** Sends and acknowledges messages. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly queue: MessageQueue,
    private readonly delivery: Delivery,
  ) {}

  /**
   * Stores a message and delivers it. It is queued synchronously, so the next message need not wait for this one to
   * keep the order.
   *
   * @param replyFirst replies with the existing conversation, before the message is delivered; not called if an entry
   * stored with the message announces the conversation to the sender
   * @throws ChatError as `toChatError`, `unavailable`, and `conflict` if another message has its idempotency key
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
    if (!('entries' in result)) throw toChatError(result.outcome);
    const { outcome, entries } = result;
    if (outcome === 'repeated' && hasOtherBody(entries.at(-1), message)) {
      throw new ChatError('conflict', 'another message was sent with this client_id');
    }
    // Showing a dm again costs nothing more.
    if (outcome === 'stored' && entries.some(isJoin)) origin.chargeAfterwards(priceOfChange);
    if (!entries.some((entry) => announces(entry, message.sender))) replyFirst?.();
    if (outcome === 'stored') this.delivery.deliverCommitted(entries, origin);
    else for (const entry of entries) this.delivery.repeat(entry, origin);
  }

  /**
   * Marks as read what was delivered to the connection. A client without the capability `sync` may know more from REST:
   * for it everything that is stored is marked. Also marks what is delivered before the event `acknowledged`, since
   * clients count it as read.
   *
   * @throws ChatError `not-found`, `unavailable`
   */
  async acknowledge(conversationId: string, origin: FrameRequest): Promise<void> {
    const { account, connection } = origin;
    const delivered = () => this.delivery.deliveredSeq(connection, conversationId);
    const deliveredSeq = connection.has('sync') ? delivered() : null;
    const acknowledged = await this.queue.acknowledge({ conversationId, account, deliveredSeq, upTo: null });
    if (acknowledged === null) throw notFound();
    this.broadcastAcknowledged(acknowledged, origin);
    this.broadcastPosition(acknowledged, origin);
    // Messages of other instances may have been delivered while the acknowledgment was being stored.
    const deliveredNow = delivered();
    if (deliveredNow <= acknowledged.seq) return;
    const later = await this.queue.acknowledge({ conversationId, account, deliveredSeq: deliveredNow, upTo: null });
    if (later !== null) this.broadcastPosition(later);
  }

  /**
   * Marks messages up to a sequence number as read. Clients that do not know read positions are told only when nothing
   * is left unread: they take everything before the event `acknowledged` for read.
   *
   * @throws ChatError `not-found`, `unavailable`
   */
  async acknowledgeUpTo(conversationId: string, upTo: number, origin: FrameRequest): Promise<void> {
    const { account, connection } = origin;
    const acknowledgment: Acknowledgment = { conversationId, account, deliveredSeq: null, upTo };
    let position: ReadPosition | null;
    // Messages that were delivered while it was being stored may be unread.
    do {
      position = await this.queue.acknowledge(acknowledgment);
      if (position === null) throw notFound();
    } while (position.unreadCount === 0 && this.delivery.deliveredSeq(connection, conversationId) > position.lastSeq);
    if (position.unreadCount === 0) this.broadcastAcknowledged(position, origin);
    this.broadcastPosition(position, origin);
  }

  private broadcastAcknowledged({ conversationId, account, seq }: ReadPosition, origin: FrameRequest): void {
    const payload = { conversation_id: conversationId };
    this.delivery.broadcast(account, { type: 'acknowledged', payload, to: [account] }, origin, seq);
  }

  /** Broadcasts how far an account has read: to itself, and as a receipt. */
  private broadcastPosition(position: ReadPosition, origin?: FrameRequest): void {
    const { conversationId: conversation_id, account, seq, readSeq, lastSeq, unreadCount, receiptRecipient } = position;
    const payload = { conversation_id, read_seq: readSeq, unread_count: unreadCount, last_seq: lastSeq };
    this.delivery.broadcast(account, { type: 'read-position', payload, to: [account] }, origin, lastSeq);
    if (receiptRecipient === null) return;
    const receipt = { conversation_id, username: account, seq };
    this.delivery.broadcast(receiptRecipient, { type: 'messages-read', payload: receipt, to: [receiptRecipient] });
  }
}

/** Returns whether an entry that was stored with a message makes its sender a member of the channel. */
function isJoin(entry: Entry): boolean {
  return 'events' in entry && entry.events.some(({ type }) => type === 'member-added');
}

/**
 * Returns whether an entry announces its conversation to an account: it joins the conversation, or a dm is shown to it
 * again.
 */
function announces(entry: Entry, account: string): boolean {
  return eventsOf(entry).some(({ type, to }) => type === 'conversation-created' && isRecipient(to, account));
}

/** Returns whether the entry of a stored message has another body. */
function hasOtherBody(entry: Entry | undefined, body: MessageBody): boolean {
  return entry !== undefined && 'message' in entry && !isSameBody(entry.message, body);
}
