import { type Client, RateLimiter, type RateLimit } from '@waggle/service';

/** Uses of a client in each period; `accountLogins`: of an account and a client together. */
export interface RateLimitSettings {
  periodSeconds: number;
  logins: number;
  accountLogins: number;
  checks: number;
  requests: number;
}

/** Rate limits of log-ins, challenges, token checks and requests. */
export class RateLimits {
  /** Counted in the process: a query to Redis for every REST request would cost too much. */
  readonly requests: RateLimiter;
  /**
   * Also counted in the process. A higher limit, because a backend checks the tokens of all its users from one address.
   */
  readonly checks: RateLimiter;
  private readonly logins: RateLimiter;
  /** By account and client together, so that others cannot lock out the owner of an account. */
  private readonly accountLogins: RateLimiter;
  private readonly challenges: RateLimiter;

  /** @param shared the Redis that holds the limits of all instances, and the prefix of all its keys */
  constructor({ periodSeconds, ...max }: RateLimitSettings, shared?: RateLimit['shared']) {
    const sharedLimiter = (name: RateLimit['name'], prefix: string, what: string, maxUses: number) =>
      new RateLimiter({
        name,
        what,
        max: maxUses,
        periodSeconds,
        shared: shared && { ...shared, prefix: `${shared.prefix}${prefix}` },
      });
    this.requests = new RateLimiter({
      name: 'requests-per-minute',
      what: 'requests from this address',
      max: max.requests,
      periodSeconds,
    });
    this.checks = new RateLimiter({
      name: 'checks-per-minute',
      what: 'checks from this address',
      max: max.checks,
      periodSeconds,
    });
    this.logins = sharedLimiter('logins-per-minute', 'login', 'log-ins from this address', max.logins);
    this.accountLogins = sharedLimiter(
      'account-logins-per-minute',
      'account-login',
      'log-ins to this account from this address',
      max.accountLogins,
    );
    this.challenges = sharedLimiter('logins-per-minute', 'challenge', 'challenges for this address', max.logins);
  }

  /**
   * Counts a log-in attempt before its signature is verified, which calls Hive nodes.
   *
   * @throws ServiceError `rate-limited`
   */
  async countLogin(account: string, client: Client): Promise<void> {
    // First, so that repeated attempts for one account do not use up the limit of the client.
    await this.accountLogins.consume(client, account);
    await this.logins.consume(client);
  }

  /** @throws ServiceError `rate-limited` */
  countChallenge(client: Client): Promise<void> {
    return this.challenges.consume(client);
  }
}
