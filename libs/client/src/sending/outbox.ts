import { OutboxFullError } from '../errors';
import type { SentFrames } from '../protocol/contract';

// Old browsers and pages without TLS lack randomUUID.
declare const crypto: { randomUUID?: () => string } | undefined;

/** A message that is not stored yet, as JSON that can be saved. */
export interface OutgoingMessage {
  /** The idempotency key: the service recognizes a repetition by it. */
  clientId: string;
  /** Messages of one queue are sent one after another: the conversation, or the account of a dm. */
  queue: string;
  frame:
    | { type: 'chat-message'; payload: SentFrames['chat-message'] }
    | { type: 'create-conversation'; payload: SentFrames['create-conversation'] };
  /** When it was first sent, if it was, in milliseconds since 1970. */
  firstSentAtMs?: number | undefined;
}

/** Saves unsent messages beyond the life of the process. It handles its own errors. */
export interface OutboxStore {
  /** Returns the messages that were not removed, in the order of their first `put`. */
  load(): Promise<OutgoingMessage[]> | OutgoingMessage[];
  /** Adds a message, or replaces the one with its `clientId`. Called before it is sent. */
  put(message: OutgoingMessage): void;
  remove(clientId: string): void;
}

export interface OutboxLimits {
  /** Maximum number of messages that wait or are in flight. */
  limit: number;
  /** Maximum number of messages in flight, each of another queue. */
  inFlight: number;
}

/** Far fewer than the 64 frames that the service reads ahead, so that messages do not delay other frames. */
export const defaultOutboxLimits: OutboxLimits = { limit: 1_000, inFlight: 16 };

interface Entry {
  message: OutgoingMessage;
  isInFlight: boolean;
  /** By the monotonic clock, like all times that this class is given. */
  notBeforeMs: number;
}

/**
 * Messages until their replies arrive, in queues. Only one of a queue is in flight: if the service asks for a
 * repetition, a later message that was already sent would be stored first.
 */
export class Outbox {
  readonly #entries = new Map<string, Entry>();
  #pausedUntilMs = 0;

  constructor(private readonly limits: OutboxLimits) {}

  /** The oldest first. */
  get messages(): OutgoingMessage[] {
    return Array.from(this.#entries.values(), ({ message }) => message);
  }

  /** Adds a message. @throws OutboxFullError */
  add(message: OutgoingMessage): void {
    if (this.#entries.size >= this.limits.limit)
      throw new OutboxFullError(`${this.limits.limit} messages wait already`);
    this.#entries.set(message.clientId, waiting(message));
  }

  /** Inserts messages of an earlier run before the others, regardless of the limit. */
  restore(messages: readonly OutgoingMessage[]): void {
    const present = [...this.#entries];
    this.#entries.clear();
    for (const message of messages) this.#entries.set(message.clientId, waiting(message));
    for (const [clientId, entry] of present) this.#entries.set(clientId, entry);
  }

  find(clientId: string): OutgoingMessage | undefined {
    return this.#entries.get(clientId)?.message;
  }

  /** Removes a message, because its reply arrived or it failed. */
  remove(clientId: string): void {
    this.#entries.delete(clientId);
  }

  /** Returns the messages that may be sent now, which are then in flight. */
  take(nowMs: number): OutgoingMessage[] {
    if (nowMs < this.#pausedUntilMs) return [];
    let free = this.limits.inFlight - this.inFlight.length;
    const taken: OutgoingMessage[] = [];
    for (const entry of this.#first()) {
      if (free <= 0) break;
      if (entry.isInFlight || nowMs < entry.notBeforeMs) continue;
      entry.isInFlight = true;
      entry.message = { ...entry.message, firstSentAtMs: entry.message.firstSentAtMs ?? Date.now() };
      taken.push(entry.message);
      free -= 1;
    }
    return taken;
  }

  get inFlight(): OutgoingMessage[] {
    return [...this.#entries.values()].flatMap(({ isInFlight, message }) => (isInFlight ? [message] : []));
  }

  /** Schedules a repetition; later messages of its queue wait for it. */
  requeue(clientId: string, notBeforeMs: number): void {
    const entry = this.#entries.get(clientId);
    if (entry === undefined) return;
    entry.isInFlight = false;
    entry.notBeforeMs = notBeforeMs;
  }

  /** Sends nothing before the given time. */
  pause(untilMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs);
  }

  /** Schedules all messages in flight for repetition, because the connection was lost. */
  requeueAll(): void {
    for (const entry of this.#entries.values()) entry.isInFlight = false;
  }

  /** Returns when the next delayed message may be sent; undefined if there is none. */
  nextAtMs(nowMs: number): number | undefined {
    const times = [...this.#first()].flatMap(({ isInFlight, notBeforeMs }) =>
      isInFlight ? [] : [Math.max(notBeforeMs, this.#pausedUntilMs)],
    );
    const later = times.filter((time) => time > nowMs);
    return later.length === 0 ? undefined : Math.min(...later);
  }

  /** The first message of each queue. */
  *#first(): Generator<Entry> {
    const queues = new Set<string>();
    for (const entry of this.#entries.values()) {
      if (queues.has(entry.message.queue)) continue;
      queues.add(entry.message.queue);
      yield entry;
    }
  }
}

/** Whether two frames send the same text to the same conversation. A store may have changed the order of their keys. */
export function isSameFrame(one: OutgoingMessage['frame'], other: OutgoingMessage['frame']): boolean {
  return JSON.stringify(partsOf(one)) === JSON.stringify(partsOf(other));
}

/** The fields of both kinds of frame that decide what is stored. */
interface Parts {
  conversation_id?: unknown;
  to?: unknown;
  message: string;
  reply_to?: unknown;
}

function partsOf({ type, payload }: OutgoingMessage['frame']): unknown[] {
  const { conversation_id, to, message, reply_to }: Parts = payload;
  return [type, conversation_id, to, message, reply_to];
}

function waiting(message: OutgoingMessage): Entry {
  return { message, isInFlight: false, notBeforeMs: 0 };
}

/** Creates a unique idempotency key. It is not secret, so Math.random is good enough as a fallback. */
export function createClientId(): string {
  if (typeof crypto !== 'undefined' && crypto.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('');
}
