import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@waggle/service';
import { type Pool } from 'pg';
import { Delivery } from '../delivery/delivery';
import { ChatError, messageQueueOverloaded, notThere } from '../errors';
import { type Entry } from '../log/entry';
import { isSameBody, type MessageBody } from '../log/message-body';
import { MESSAGE_POOL, messageConnections } from '../log/pools';
import { priceOfChange } from '../rate-limits/frame-price';
import { type FrameRequest } from '../realtime/frame-request';
import { storeAcknowledgements, type Acknowledgement, type ReadPosition } from './acknowledgement';
import { MessageWriter } from './message-writer';
import { newMessage, type MessageContent, type NewMessage } from './new-message';
import { rejected, type SendResult } from './send-result';
import { toChatError } from './write-errors';

/** Messages and acknowledgements of one flush: enough for throughput, few enough for a short latency. */
const maxItems = 500;
const maxQueued = 10_000;
/** In milliseconds. Every statement may take seconds while the database hangs. */
const maxWaitMs = 5_000;

/**
 * Stores messages and acknowledgements in batches. Those of one conversation are stored in the order in which they are added, so that an
 * acknowledgement covers what was delivered before it and nothing else.
 */
@Injectable()
export class MessageQueue {
  private readonly batcher = new Batcher<NewMessage | Acknowledgement, Result>({
    keyOf: ({ conversationId }) => conversationId,
    flush: (items) => this.flush(items),
    maxItems,
    maxFlushes: messageConnections,
    maxQueued,
    maxWaitMs,
    overloaded: messageQueueOverloaded,
  });

  constructor(
    private readonly writer: MessageWriter,
    @Inject(MESSAGE_POOL) private readonly pool: Pool,
  ) {}

  /** Resolves when the message is committed or rejected. @throws ChatError `unavailable` if too many are queued */
  async write(message: NewMessage): Promise<SendResult> {
    const result = await this.batcher.add(message);
    if (result === null || !('outcome' in result)) throw new Error('no result for the message');
    return result;
  }

  /**
   * Marks everything in the conversation as read by the account.
   * @returns null if the account may not read the conversation
   * @throws ChatError `unavailable` if too many are queued
   */
  async acknowledge(acknowledgement: Acknowledgement): Promise<ReadPosition | null> {
    const result = await this.batcher.add(acknowledgement);
    if (result !== null && 'outcome' in result) throw new Error('the result of a message for an acknowledgement');
    return result;
  }

  private async flush(items: readonly (NewMessage | Acknowledgement)[]) {
    const acknowledgements = items.flatMap((item) => (isMessage(item) ? [] : [item]));
    const messages = items.filter(isMessage);
    // An acknowledgement covers what was delivered before it, not the messages of its flush, and is delivered before them.
    const results: Results = acknowledgements.length === 0 ? new Map() : await this.acknowledgeAll(acknowledgements);
    for (const [message, result] of await this.writer.store(messages)) results.set(message, result);
    return results;
  }

  /** Never rejects: messages are stored also if acknowledgements beside them fail. */
  private async acknowledgeAll(acknowledgements: readonly Acknowledgement[]): Promise<Results> {
    try {
      const stored = await storeAcknowledgements(this.pool, acknowledgements);
      const readPositions = new Map(stored.map((each) => [keyOf(each), each]));
      return new Map(acknowledgements.map((each) => [each, readPositions.get(keyOf(each)) ?? null]));
    } catch (error) {
      return new Map(acknowledgements.map((each) => [each, rejected(error)]));
    }
  }
}

/** Sends and acknowledges messages. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly queue: MessageQueue,
    private readonly delivery: Delivery,
  ) {}

  /**
   * Stores a message and delivers it. It is queued when this returns, so the next message need not wait for it to keep the order.
   *
   * @param replyFirst called before the message is delivered: replies with the conversation that was requested and exists
   * @throws ChatError as `toChatError`, `unavailable`, and `conflict` if another message has its idempotency key
   */
  send(
    conversationId: string,
    content: MessageContent,
    origin: FrameRequest,
    { replyFirst }: { replyFirst?: () => void } = {},
  ): Promise<void> {
    const message = newMessage(origin.caller.account, conversationId, content);
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
    if (outcome === 'repeated' && !mayHaveBody(entries.at(-1), message)) {
      throw new ChatError('conflict', 'another message was sent with this client_id');
    }
    // Showing a dm again costs nothing more.
    if (outcome === 'stored' && entries.some(isJoin)) origin.chargeAfterwards(priceOfChange);
    // If a dm is shown again, its announcement is the reply.
    if (entries.length === 1) replyFirst?.();
    if (outcome === 'stored') this.delivery.add(entries, origin);
    else for (const entry of entries) this.delivery.repeat(entry, origin);
  }

  /** Marks as read what is delivered before the event `acknowledged`. @throws ChatError `not-found`, `unavailable` */
  async acknowledge(account: string, conversationId: string, origin: FrameRequest): Promise<void> {
    const acknowledged = await this.queue.acknowledge({ conversationId, account });
    if (acknowledged === null) throw notThere();
    const payload = { conversation_id: conversationId };
    this.delivery.broadcast(account, { type: 'acknowledged', payload, to: [account] }, origin);
    const { seq, reader } = acknowledged;
    if (reader === null) return;
    const receipt = { conversation_id: conversationId, username: account, seq };
    this.delivery.broadcast(reader, { type: 'messages-read', payload: receipt, to: [reader] });
  }
}

type Result = SendResult | ReadPosition | null;
type Results = Map<NewMessage | Acknowledgement, Result | Promise<Result>>;

function isMessage(item: NewMessage | Acknowledgement): item is NewMessage {
  return 'sender' in item;
}

function keyOf({ conversationId, account }: Acknowledgement): string {
  return `${conversationId} ${account}`;
}

/** Tells whether an entry that was stored with a message makes its sender a member of the channel. */
function isJoin(entry: Entry): boolean {
  return 'events' in entry && entry.events.some(({ type }) => type === 'member-added');
}

/** Tells whether the entry of a message has this body, or had it: that of a deleted message is not known. */
function mayHaveBody(entry: Entry | undefined, body: MessageBody): boolean {
  return entry === undefined || 'events' in entry || isSameBody(entry.message, body);
}
