import { addressKey, RateLimiter, type RateLimit } from '@waggle/service';
import { type VideoAuthConfig } from '../config';

type Shared = NonNullable<RateLimit['shared']>;

/** How often one may log in, ask for a challenge, check a token, and call at all. */
export class RateLimits {
  /** In the process: every REST request passes here, and none is worth a question to Redis. */
  readonly requests: RateLimiter;
  /** In the process too. Many more: a backend checks the tokens of all its users from one address. */
  readonly checks: RateLimiter;
  private readonly logins: RateLimiter;
  /** By account and address together: a stranger elsewhere cannot use up what its owner needs. */
  private readonly accountLogins: RateLimiter;
  private readonly challenges: RateLimiter;

  /** @param shared the Redis over which instances share them, and the prefix of all their keys */
  constructor({ periodSeconds, ...max }: VideoAuthConfig['rateLimits'], shared?: Shared) {
    const under = (name: string): Shared | undefined => shared && { ...shared, prefix: `${shared.prefix}${name}` };
    this.requests = new RateLimiter({ what: 'requests from this address', max: max.requests, periodSeconds });
    this.checks = new RateLimiter({ what: 'checks from this address', max: max.checks, periodSeconds });
    this.logins = new RateLimiter({
      what: 'log-ins from this address',
      max: max.logins,
      periodSeconds,
      shared: under('login'),
    });
    this.accountLogins = new RateLimiter({
      what: 'log-ins to this account from this address',
      max: max.accountLogins,
      periodSeconds,
      shared: under('account-login'),
    });
    this.challenges = new RateLimiter({
      what: 'challenges for this address',
      max: max.logins,
      periodSeconds,
      shared: under('challenge'),
    });
  }

  /**
   * Counts a log-in, right or wrong, before its signature is looked at: that asks the Hive nodes.
   *
   * @throws ServiceError `rate-limited`
   */
  async countLogin(account: string, ip: string): Promise<void> {
    const address = addressKey(ip);
    // First, so that one account that tries without end does not use up what its neighbours at the address have.
    await this.accountLogins.consume(`${account}@${address}`);
    await this.logins.consume(address);
  }

  /** @throws ServiceError `rate-limited` */
  countChallenge(ip: string): Promise<void> {
    return this.challenges.consume(addressKey(ip));
  }
}
