import { addressKey, RateLimiter, type RateLimit } from '@waggle/service';
import { type VideoAuthConfig } from '../config';

/** The defaults of the settings `…_PER_MINUTE`. */
export const defaultRateLimits = { logins: 60, accountLogins: 10, requests: 1_200, checks: 60_000 };

/** Rate limits of log-ins, challenges, token checks and requests. */
export class RateLimits {
  /** Counted in the process: a query to Redis for every REST request would cost too much. */
  readonly requests: RateLimiter;
  /**
   * Also counted in the process. A higher limit, because a backend checks the tokens of all its users from one address.
   */
  readonly checks: RateLimiter;
  private readonly logins: RateLimiter;
  /** By account and address together, so that others cannot lock out the owner of an account. */
  private readonly accountLogins: RateLimiter;
  private readonly challenges: RateLimiter;

  /** @param shared the Redis over which instances share them, and the prefix of all their keys */
  constructor({ periodSeconds, ...max }: VideoAuthConfig['rateLimits'], shared?: RateLimit['shared']) {
    const sharedLimiter = (name: string, what: string, maxUses: number) =>
      new RateLimiter({
        what,
        max: maxUses,
        periodSeconds,
        shared: shared && { ...shared, prefix: `${shared.prefix}${name}` },
      });
    this.requests = new RateLimiter({ what: 'requests from this address', max: max.requests, periodSeconds });
    this.checks = new RateLimiter({ what: 'checks from this address', max: max.checks, periodSeconds });
    this.logins = sharedLimiter('login', 'log-ins from this address', max.logins);
    this.accountLogins = sharedLimiter('account-login', 'log-ins to this account from this address', max.accountLogins);
    this.challenges = sharedLimiter('challenge', 'challenges for this address', max.logins);
  }

  /**
   * Counts a log-in attempt before its signature is verified, which calls Hive nodes.
   *
   * @throws ServiceError `rate-limited`
   */
  async countLogin(account: string, ip: string): Promise<void> {
    const address = addressKey(ip);
    // First, so that repeated attempts for one account do not use up the limit of others at the address.
    await this.accountLogins.consume(`${account}@${address}`);
    await this.logins.consume(address);
  }

  /** @throws ServiceError `rate-limited` */
  countChallenge(ip: string): Promise<void> {
    return this.challenges.consume(addressKey(ip));
  }
}
