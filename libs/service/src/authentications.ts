import { ServiceError } from './errors';
import { KeyedLimiter } from './keyed-limiter';

/**
 * Limits of the authentications with the same credentials. One verifies a signature and reads a session, about 1 ms. 60 requests at once
 * kept the process busy with them for 130 ms, and had the pool open eight connections to the database. In turn they let others in between.
 */
const limits = { maxRunning: 2, maxQueued: 1_000, maxWaitMs: 10_000 };

/**
 * Lets requests with the same credentials be authenticated in turn. Requests with others do not wait for them, whatever address they
 * come from: one backend checks the tokens of many users.
 */
export class Authentications {
  private readonly byCredentials = new KeyedLimiter(limits, tooManyAtOnce);

  /** How many credentials are verified now. */
  get size(): number {
    return this.byCredentials.size;
  }

  /**
   * Runs the authentication of a request when it is its turn; without credentials, at once.
   *
   * @param credentials what the request proves its caller with
   * @throws ServiceError `rate-limited` if too many wait or it waits too long; and what the authentication throws
   */
  run<T>(credentials: string | undefined, authenticate: () => Promise<T>): Promise<T> {
    return credentials === undefined ? authenticate() : this.byCredentials.run(credentials, authenticate);
  }
}

function tooManyAtOnce(): ServiceError {
  return new ServiceError('rate-limited', 'too many requests at once', { retryAfterMs: 1_000 });
}
