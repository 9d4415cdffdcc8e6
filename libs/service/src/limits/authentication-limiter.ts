import { ServiceError } from '../errors/errors';
import { KeyedLimiter } from './keyed-limiter';

/**
 * Limits of concurrent authentications with the same credentials. One verifies a signature and reads a session, about 1
 * ms. Without a limit, 60 concurrent requests occupied the process for 130 ms and opened eight database connections.
 */
const limits = { maxRunning: 2, maxQueued: 1_000, maxWaitMs: 10_000 };

/**
 * Queues the authentication of requests with the same credentials. Other credentials from the same address do not wait:
 * one backend may check the tokens of many users.
 */
export class AuthenticationLimiter {
  private readonly byCredentials = new KeyedLimiter(limits, tooManyAtOnce);

  /** Number of credentials that are being verified. */
  get size(): number {
    return this.byCredentials.size;
  }

  /**
   * Runs the authentication of a request when it is its turn; immediately without credentials.
   *
   * @param credentials what the request proves its caller with
   * @throws ServiceError `rate-limited` if the queue is full or the wait too long; and what the authentication throws
   */
  run<T>(credentials: string | undefined, authenticate: () => Promise<T>): Promise<T> {
    return credentials === undefined ? authenticate() : this.byCredentials.run(credentials, authenticate);
  }
}

function tooManyAtOnce(): ServiceError {
  return new ServiceError('rate-limited', 'too many requests at once', {
    retryAfterMs: 1_000,
    limit: 'authentications-at-once',
  });
}
