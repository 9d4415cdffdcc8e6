import { Backoff } from '../backoff';
import type { ChatClientError } from '../errors';
import type { Conversation, RichMessage } from '../protocol/contract';
import type { OutgoingMessage } from './outbox';

/** A message as the service stored it. */
export interface StoredMessage extends RichMessage {
  /** The message's sequence number in the conversation; undefined on connections without `sync`. */
  seq: number | undefined;
}

export interface SendResult {
  message: StoredMessage;
  /** The conversation, if the message created it. */
  conversation: Conversation | undefined;
}

/** Pauses before repeats, unless the service asks for a longer one. */
const repeatBounds = { firstMs: 250, maxMs: 10_000 };

/** The state of a message that is in the outbox. */
export class PendingMessage {
  readonly clientId: string;
  readonly backoff = new Backoff(repeatBounds);
  /** Number of times that it was sent. */
  attempts: number;
  /** Whether it may be stored although no reply arrived. */
  isUncertain: boolean;
  conversation: Conversation | undefined;
  /** Fires when the reply is late. */
  timer: ReturnType<typeof setTimeout> | undefined;
  /** The same promise for every caller. */
  readonly outcome: Promise<SendResult>;
  resolve!: (result: SendResult) => void;
  reject!: (error: ChatClientError) => void;

  constructor({ clientId, firstSentAtMs }: OutgoingMessage) {
    this.clientId = clientId;
    this.isUncertain = firstSentAtMs !== undefined;
    this.attempts = this.isUncertain ? 1 : 0;
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // A message of an earlier run may have no caller. For a caller, the promise that `Sender.send` returns rejects.
    this.outcome.catch(() => undefined);
  }
}
