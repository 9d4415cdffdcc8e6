import { Inject, Injectable } from '@nestjs/common';
import { Batcher, rejected } from '@waggle/service';
import { type Pool } from 'pg';
import { messageQueueOverloaded } from '../errors';
import { type NewMessage } from '../log/append-messages';
import { findMessages } from '../log/quotes';
import { findRepeated } from '../log/repeated-messages';
import { MESSAGE_POOL, messageConnections } from '../log/pools';
import { storeAcknowledgments, type AcknowledgedPosition, type Acknowledgment } from './acknowledgment';
import { MessageWriter } from './message-writer';
import { type SendResult } from './send-result';

/** Messages and acknowledgments of one flush: enough for throughput, few enough for a short latency. */
const maxItems = 500;
/** Maximum number of items that wait; more are rejected. */
const maxQueued = 10_000;
/**
 * The same for each conversation: a quarter of the queue and five flushes, so that a busy one leaves room for the
 * others.
 */
const maxQueuedPerKey = 2_500;
/** Maximum time that an item waits, in milliseconds. Every statement may take seconds while the database hangs. */
const maxWaitMs = 5_000;

/**
 * Stores messages and acknowledgments in batches. Messages of one conversation keep their order. The acknowledgments of
 * a batch are stored before its messages, so that they cover what was delivered before them and nothing else.
 */
@Injectable()
export class MessageQueue {
  private readonly batcher = new Batcher<NewMessage | Acknowledgment, Result>({
    keyOf: ({ conversationId }) => conversationId,
    flush: (items) => this.flush(items),
    maxItems,
    maxFlushes: messageConnections,
    maxQueued,
    maxQueuedPerKey,
    maxWaitMs,
    overloaded: messageQueueOverloaded,
  });

  constructor(
    private readonly writer: MessageWriter,
    @Inject(MESSAGE_POOL) private readonly pool: Pool,
  ) {}

  /**
   * Resolves when the message is committed, or may not be written. @throws ChatError as `messageQueueOverloaded`,
   * DatabaseError
   */
  async write(message: NewMessage): Promise<SendResult> {
    const result = await this.batcher.add(message);
    if (result === null || !('outcome' in result)) throw new Error('no result for the message');
    return result;
  }

  /**
   * Marks the conversation as read by the account.
   *
   * @returns null if the account may not read the conversation
   * @throws ChatError as `messageQueueOverloaded`
   */
  async acknowledge(acknowledgment: Acknowledgment): Promise<AcknowledgedPosition | null> {
    const result = await this.batcher.add(acknowledgment);
    if (result !== null && 'outcome' in result) throw new Error('the result of a message for an acknowledgment');
    return result;
  }

  private async flush(items: readonly (NewMessage | Acknowledgment)[]): Promise<Results> {
    const acknowledgments = items.flatMap((item) => (isMessage(item) ? [] : [item]));
    const messages = items.filter(isMessage);
    const results: Results = acknowledgments.length === 0 ? new Map() : await this.acknowledgeAll(acknowledgments);
    await this.findRepliedTo(messages, results);
    const accepted = messages.filter((message) => !results.has(message));
    for (const [message, result] of await this.writer.store(accepted)) results.set(message, result);
    return results;
  }

  /**
   * Finds the messages that messages reply to, also deleted ones. Sets the results of messages whose conversation has
   * no such message. Never rejects.
   */
  private async findRepliedTo(messages: readonly NewMessage[], results: Results): Promise<void> {
    const replies = messages.flatMap((message) => {
      const { conversationId, replyTo: id } = message;
      return id === undefined ? [] : [{ message, conversationId, id }];
    });
    if (replies.length === 0) return;
    try {
      for (const [i, found] of (await findMessages(this.pool, replies)).entries()) {
        const message = replies[i]?.message;
        if (message === undefined || found === undefined) continue;
        message.repliedTo = { seq: found.seq };
        message.repliedToSender = found.sender;
      }
      const unresolved = messages.filter(({ replyTo, repliedTo }) => replyTo !== undefined && repliedTo === undefined);
      // Of a repeated message, retention may have removed the one that it replies to.
      const repeated = await findRepeated(this.pool, unresolved);
      for (const message of unresolved)
        if (!repeated.has(message)) results.set(message, { outcome: 'rejected', error: 'not-found' });
    } catch (error) {
      for (const { message } of replies) results.set(message, rejected(error));
    }
  }

  /** Stores acknowledgments. Never rejects: messages are stored also if acknowledgments beside them fail. */
  private async acknowledgeAll(acknowledgments: readonly Acknowledgment[]): Promise<Results> {
    try {
      const stored = await storeAcknowledgments(this.pool, acknowledgments);
      const readPositions = new Map(stored.map((each) => [keyOf(each), each]));
      return new Map(acknowledgments.map((each) => [each, readPositions.get(keyOf(each)) ?? null]));
    } catch (error) {
      return new Map(acknowledgments.map((each) => [each, rejected(error)]));
    }
  }
}

type Result = SendResult | AcknowledgedPosition | null;
type Results = Map<NewMessage | Acknowledgment, Result | Promise<Result>>;

function isMessage(item: NewMessage | Acknowledgment): item is NewMessage {
  return 'sender' in item;
}

function keyOf({ conversationId, account }: Acknowledgment | AcknowledgedPosition): string {
  return `${conversationId} ${account}`;
}
