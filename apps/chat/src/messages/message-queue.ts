import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '@waggle/service';
import { type Pool } from 'pg';
import { messageQueueOverloaded } from '../errors';
import { MESSAGE_POOL, messageConnections } from '../log/pools';
import { storeAcknowledgements, type Acknowledgement, type ReadPosition } from './acknowledgement';
import { MessageWriter } from './message-writer';
import { type NewMessage } from './new-message';
import { rejected, type SendResult } from './send-result';

/** Messages and acknowledgements of one flush: enough for throughput, few enough for a short latency. */
const maxItems = 500;
const maxQueued = 10_000;
/** In milliseconds. Every statement may take seconds while the database hangs. */
const maxWaitMs = 5_000;

/**
 * Stores messages and acknowledgements in batches. Messages of one conversation keep their order. The acknowledgements of a batch are
 * stored before its messages, so that they cover what was delivered before them and nothing else.
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

  /** Resolves when the message is committed, or with a `WriteError`. @throws ChatError `unavailable` if too many are queued */
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

type Result = SendResult | ReadPosition | null;
type Results = Map<NewMessage | Acknowledgement, Result | Promise<Result>>;

function isMessage(item: NewMessage | Acknowledgement): item is NewMessage {
  return 'sender' in item;
}

function keyOf({ conversationId, account }: Acknowledgement): string {
  return `${conversationId} ${account}`;
}
