import { type ChatRestErrorCode, type FrameErrorCode } from '@waggle/contracts';
import { CodedError } from '@waggle/service';

/** An error whose code may appear in a REST error, an `error` frame, or both. */
export class ChatError extends CodedError<ChatRestErrorCode | FrameErrorCode> {}

/**
 * Thrown if the message queue or a conversation's share of it is full, or a message or acknowledgment waits too long in
 * it.
 */
export function messageQueueOverloaded(): ChatError {
  return new ChatError('unavailable', 'too many requests are waiting for the database', { retryAfterMs: 1_000 });
}

/**
 * A change of settings holds the lock on all pairs of an account: see `LockedPair`. `ChangeTransactions` retries the
 * change before the client gets this error.
 */
export class AccountPairsLocked extends ChatError {
  constructor() {
    super('unavailable', 'the settings of one of the two accounts are being changed', { retryAfterMs: 1_000 });
  }
}

/** A `rate-limited` error that makes `FramePump` close the connection with 4008; a plain `ChatError` leaves it open. */
export class RateLimitExceeded extends ChatError {
  constructor(message: string, retryAfterMs: number, limit?: 'frames-per-second') {
    super('rate-limited', message, limit === undefined ? { retryAfterMs } : { retryAfterMs, limit });
  }
}

/** Returns the same error whether the object does not exist or the caller may not see it. */
export function notFound(): ChatError {
  return new ChatError('not-found', 'there is no such conversation or message for you');
}
