import { OutboxFullError } from './errors';
import type { SentFrames } from './frames';

/** A message on its way, in a form that can be kept. */
export interface OutgoingMessage {
  /** Our mark on it, by which the service knows it again. */
  clientId: string;
  /** Messages of one lane go one after another: the conversation, or the account of a dm. */
  lane: string;
  frame:
    | { type: 'chat-message'; payload: SentFrames['chat-message'] }
    | { type: 'create-conversation'; payload: SentFrames['create-conversation'] };
  /** When it was sent first, where it was. */
  firstSentAtMs?: number | undefined;
}

/** Keeps what is on its way beyond the life of the process. Failures are its own to handle. */
export interface OutboxStore {
  /** What was there and not removed, in the order in which it was put first. */
  load(): Promise<OutgoingMessage[]> | OutgoingMessage[];
  /** Adds it, or replaces the one with its `clientId`. Called before it is sent. */
  put(message: OutgoingMessage): void;
  remove(clientId: string): void;
}

export interface OutboxLimits {
  /** How many messages may wait or be on their way. */
  limit: number;
  /** How many may be on their way at once, in different lanes. */
  inFlight: number;
}

/** Far below what the service reads ahead of a connection (64 frames): nothing is held up behind messages. */
export const defaultOutboxLimits: OutboxLimits = { limit: 1_000, inFlight: 16 };

interface Entry {
  message: OutgoingMessage;
  isInFlight: boolean;
  notBeforeMs: number;
}

/**
 * Messages until they are answered, in the order of their lanes. One of a lane is on its way at a time: were the next one
 * sent already when the service asks to repeat this one, it would be stored first.
 */
export class Outbox {
  readonly #entries = new Map<string, Entry>();
  #pausedUntilMs = 0;

  constructor(private readonly limits: OutboxLimits) {}

  /** The oldest first. */
  get messages(): OutgoingMessage[] {
    return Array.from(this.#entries.values(), ({ message }) => message);
  }

  /** @throws OutboxFullError */
  add(message: OutgoingMessage): void {
    if (this.#entries.size >= this.limits.limit)
      throw new OutboxFullError(`${this.limits.limit} messages wait already`);
    this.#entries.set(message.clientId, waiting(message));
  }

  /** Puts messages of an earlier life before those that are there, however many they are. */
  restore(messages: readonly OutgoingMessage[]): void {
    const present = [...this.#entries];
    this.#entries.clear();
    for (const message of messages) this.#entries.set(message.clientId, waiting(message));
    for (const [clientId, entry] of present) this.#entries.set(clientId, entry);
  }

  find(clientId: string): OutgoingMessage | undefined {
    return this.#entries.get(clientId)?.message;
  }

  /** It was answered: there is nothing more to do for it. */
  remove(clientId: string): void {
    this.#entries.delete(clientId);
  }

  /** Those that may go now; they are on their way from then on. */
  take(nowMs: number): OutgoingMessage[] {
    if (nowMs < this.#pausedUntilMs) return [];
    let free = this.limits.inFlight - this.inFlight.length;
    const taken: OutgoingMessage[] = [];
    for (const entry of this.#first()) {
      if (free <= 0) break;
      if (entry.isInFlight || nowMs < entry.notBeforeMs) continue;
      entry.isInFlight = true;
      entry.message = { ...entry.message, firstSentAtMs: entry.message.firstSentAtMs ?? nowMs };
      taken.push(entry.message);
      free -= 1;
    }
    return taken;
  }

  get inFlight(): OutgoingMessage[] {
    return [...this.#entries.values()].flatMap(({ isInFlight, message }) => (isInFlight ? [message] : []));
  }

  /** It is to be sent again, not before that time; nor what comes after it in its lane. */
  repeat(clientId: string, notBeforeMs: number): void {
    const entry = this.#entries.get(clientId);
    if (entry === undefined) return;
    entry.isInFlight = false;
    entry.notBeforeMs = notBeforeMs;
  }

  /** Nothing goes before that time. */
  pause(untilMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs);
  }

  /** What was on its way when the connection was lost is to be sent again. */
  repeatAll(): void {
    for (const entry of this.#entries.values()) entry.isInFlight = false;
  }

  /** When something may go that may not yet; undefined where nothing waits for a time. */
  nextAtMs(nowMs: number): number | undefined {
    const times = [...this.#first()].flatMap(({ isInFlight, notBeforeMs }) =>
      isInFlight ? [] : [Math.max(notBeforeMs, this.#pausedUntilMs)],
    );
    const later = times.filter((time) => time > nowMs);
    return later.length === 0 ? undefined : Math.min(...later);
  }

  /** The first of each lane. */
  *#first(): Generator<Entry> {
    const lanes = new Set<string>();
    for (const entry of this.#entries.values()) {
      if (lanes.has(entry.message.lane)) continue;
      lanes.add(entry.message.lane);
      yield entry;
    }
  }
}

/** Whether they say the same in the same place. A store may have kept their keys in another order. */
export function isSameFrame(one: OutgoingMessage['frame'], other: OutgoingMessage['frame']): boolean {
  return JSON.stringify(partsOf(one)) === JSON.stringify(partsOf(other));
}

function partsOf({ type, payload }: OutgoingMessage['frame']): unknown[] {
  const { conversation_id, to, message }: { conversation_id?: string; to?: string | string[]; message: string } =
    payload;
  return [type, conversation_id, to, message];
}

function waiting(message: OutgoingMessage): Entry {
  return { message, isInFlight: false, notBeforeMs: 0 };
}
