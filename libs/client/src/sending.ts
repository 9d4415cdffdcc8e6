import { Backoff } from './backoff';
import type { ChatClientError } from './errors';
import type { Conversation, Message } from './resources';
import type { OutgoingMessage } from './outbox';

/** A message as the service stored it. */
export interface StoredMessage extends Message {
  /** Its place in the conversation; undefined on connections without `sync`. */
  seq: number | undefined;
}

/** What came of a message. */
export interface Stored {
  message: StoredMessage;
  /** Where the message began one. */
  conversation: Conversation | undefined;
}

/** Pauses where the service names none, and between repeats that do not help. */
const repeatBounds = { firstMs: 250, mostMs: 10_000 };

/** What is known of a message besides the message, until it is answered. */
export class Sending {
  readonly backoff = new Backoff(repeatBounds);
  /** How often it was sent. */
  times: number;
  /** Whether it may be stored though we do not know of it. */
  isUncertain: boolean;
  conversation: Conversation | undefined;
  /** Until the answer comes. */
  timer: ReturnType<typeof setTimeout> | undefined;
  #outcome: Promise<Stored> | undefined;
  #settle: { resolve(stored: Stored): void; reject(error: ChatClientError): void } | undefined;

  constructor({ firstSentAtMs }: OutgoingMessage) {
    this.isUncertain = firstSentAtMs !== undefined;
    this.times = this.isUncertain ? 1 : 0;
  }

  /** What comes of it: the same promise for all who ask. Of a message of an earlier life nobody need ask. */
  get outcome(): Promise<Stored> {
    this.#outcome ??= new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    return this.#outcome;
  }

  resolve(stored: Stored): void {
    this.#settle?.resolve(stored);
  }

  reject(error: ChatClientError): void {
    this.#settle?.reject(error);
  }
}
