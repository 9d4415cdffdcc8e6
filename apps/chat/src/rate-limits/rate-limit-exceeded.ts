import { ChatError } from '../errors';

/** A `rate-limited` error that also closes the connection, with 4008. */
export class RateLimitExceeded extends ChatError {
  constructor(message: string, retryAfterMs: number) {
    super('rate-limited', message, { retryAfterMs });
  }
}
