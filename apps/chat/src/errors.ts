import { type ChatRestErrorCode, type FrameErrorCode } from '@waggle/contracts';
import { ServiceError } from '@waggle/service';

/** An error with a code of the chat's interface: of its REST errors, its `error` frames, or both. */
export class ChatError extends ServiceError {
  constructor(
    override readonly code: ChatRestErrorCode | FrameErrorCode,
    message: string,
    details?: ServiceError['details'],
  ) {
    super(code, message, details);
  }
}

/** More requests wait for the database than it can process in time. */
export function overloaded(): ChatError {
  return new ChatError('unavailable', 'too much waits for the database', { retryAfterMs: 1_000 });
}

/** Another transaction has locked all pairs of an account: a change of its settings, for some 15 ms. */
export class AccountLocked extends ChatError {
  constructor() {
    super('unavailable', 'the settings of one of you are being changed', { retryAfterMs: 1_000 });
  }
}

/** A `rate-limited` error that also closes the connection, with 4008. */
export class RateLimitExceeded extends ChatError {
  constructor(message: string, retryAfterMs: number) {
    super('rate-limited', message, { retryAfterMs });
  }
}

/** The same error for what does not exist and what the caller may not see, so that the caller cannot tell them apart. */
export function notThere(): ChatError {
  return new ChatError('not-found', 'there is no such conversation or message for you');
}
