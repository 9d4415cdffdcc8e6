import {
  ChatClientError,
  ConnectionLostError,
  EndedError,
  OutboxFullError,
  RefusedError,
  type StoredMessage,
} from '@waggle/client';
import { type Sending } from './observation';

/** What a sender is told in the end. */
type Told = Exclude<Sending['outcome'], { kind: 'waiting' }>;

/** A message whose sender waits. */
export interface Entry {
  readonly sending: Sending;
  readonly sentAtMs: number;
}

/** What senders have sent, and what they were told of it. Times are of the monotonic clock. */
export class Ledger {
  readonly #sendings: Sending[] = [];
  readonly #waiting = new Set<Entry>();
  readonly #counts = new Map<Told['kind'], number>();
  readonly #latencies: number[] = [];
  #newestAnsweredMs = -Infinity;
  #marks = 0;

  get sendings(): readonly Sending[] {
    return this.#sendings;
  }

  /** Those whose senders wait, the oldest first. */
  get waiting(): readonly Entry[] {
    return [...this.#waiting];
  }

  /** When the latest sent of the acknowledged messages was sent. */
  get newestAcknowledgedMs(): number {
    return this.#newestAnsweredMs;
  }

  /** From sending to acknowledgment, of each. */
  get latenciesMs(): readonly number[] {
    return this.#latencies;
  }

  count(kind: Told['kind']): number {
    return this.#counts.get(kind) ?? 0;
  }

  isWaiting(entry: Entry): boolean {
    return this.#waiting.has(entry);
  }

  /**
   * Notes a message that is sent now.
   *
   * @param conversationId null where the message is to begin one
   * @param send sends it with the mark as its first word, and resolves when it is acknowledged
   * @returns what it became; undefined where it is not acknowledged
   */
  async send(
    sender: string,
    conversationId: string | null,
    send: (mark: string) => Promise<StoredMessage>,
  ): Promise<StoredMessage | undefined> {
    this.#marks += 1;
    const sending: Sending = {
      mark: `${sender}-${this.#marks}`,
      sender,
      conversationId,
      outcome: { kind: 'waiting' },
    };
    const entry = { sending, sentAtMs: performance.now() };
    this.#sendings.push(sending);
    this.#waiting.add(entry);
    try {
      const stored = await send(sending.mark);
      const { conversation_id, seq = null, id } = stored;
      this.#settle(entry, { kind: 'acknowledged', conversationId: conversation_id, seq, id });
      this.#newestAnsweredMs = Math.max(this.#newestAnsweredMs, entry.sentAtMs);
      this.#latencies.push(performance.now() - entry.sentAtMs);
      return stored;
    } catch (error) {
      if (!(error instanceof ChatClientError)) throw error;
      this.#settle(entry, toldBy(error));
      return undefined;
    }
  }

  #settle(entry: Entry, told: Told): void {
    entry.sending.outcome = told;
    this.#waiting.delete(entry);
    this.#counts.set(told.kind, this.count(told.kind) + 1);
  }
}

function toldBy(error: ChatClientError): Told {
  if (error instanceof RefusedError) return { kind: 'refused', code: error.code };
  if (error instanceof OutboxFullError) return { kind: 'refused', code: 'outbox-full' };
  if (error instanceof ConnectionLostError || error instanceof EndedError)
    return { kind: 'unknown', why: error.message };
  throw error;
}
