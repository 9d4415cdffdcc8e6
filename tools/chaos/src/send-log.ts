import {
  ChatClientError,
  ConnectionLostError,
  EndedError,
  OutboxFullError,
  RejectedError,
  type StoredMessage,
} from '@waggle/client';
import { type SentMessage } from './observation';

type Result = Exclude<SentMessage['result'], { kind: 'pending' }>;

export interface PendingMessage {
  readonly message: SentMessage;
  readonly sentAtMs: number;
}

/** Records sent messages and their results. Times are of the monotonic clock. */
export class SendLog {
  readonly sentMessages: SentMessage[] = [];
  private readonly withoutResult = new Set<PendingMessage>();
  private readonly counts = new Map<Result['kind'], number>();
  /** From sending to acknowledgment, for each message. */
  readonly latenciesMs: number[] = [];
  /** When the newest acknowledged message was sent. */
  newestAcknowledgedMs = -Infinity;

  /** Messages without a result, oldest first. */
  get pending(): readonly PendingMessage[] {
    return [...this.withoutResult];
  }

  count(kind: Result['kind']): number {
    return this.counts.get(kind) ?? 0;
  }

  isPending(message: PendingMessage): boolean {
    return this.withoutResult.has(message);
  }

  /**
   * Sends a message and records its result.
   *
   * @param conversationId null if the message creates a conversation
   * @param send sends a text that begins with the tag; resolves when it is acknowledged
   * @returns the stored message; undefined if it was not acknowledged
   */
  async send(
    sender: string,
    conversationId: string | null,
    send: (tag: string) => Promise<StoredMessage>,
  ): Promise<StoredMessage | undefined> {
    const tag = `${sender}-${this.sentMessages.length + 1}`;
    const message: SentMessage = { tag, sender, conversationId, result: { kind: 'pending' } };
    const pending = { message, sentAtMs: performance.now() };
    this.sentMessages.push(message);
    this.withoutResult.add(pending);
    try {
      const stored = await send(tag);
      const { conversation_id, seq = null, id } = stored;
      this.complete(pending, { kind: 'acknowledged', conversationId: conversation_id, seq, id });
      this.newestAcknowledgedMs = Math.max(this.newestAcknowledgedMs, pending.sentAtMs);
      this.latenciesMs.push(performance.now() - pending.sentAtMs);
      return stored;
    } catch (error) {
      if (!(error instanceof ChatClientError)) throw error;
      this.complete(pending, resultOf(error));
      return undefined;
    }
  }

  private complete(pending: PendingMessage, result: Result): void {
    pending.message.result = result;
    this.withoutResult.delete(pending);
    this.counts.set(result.kind, this.count(result.kind) + 1);
  }
}

function resultOf(error: ChatClientError): Result {
  if (error instanceof RejectedError) return { kind: 'rejected', code: error.code };
  if (error instanceof OutboxFullError) return { kind: 'rejected', code: 'outbox-full' };
  if (error instanceof ConnectionLostError || error instanceof EndedError)
    return { kind: 'unknown', reason: error.message };
  throw error;
}
