import { type Client } from '../limits/client';
import { type RateLimiter } from '../limits/rate-limiter';
import { sharedLimiter } from './shared-limiter';
import { type SharedRedis } from './shared-redis';

/** Log-ins in each period: `logins` of a client, `accountLogins` of an account and a client together. */
export interface LoginLimitSettings {
  readonly periodSeconds: number;
  readonly logins: number;
  readonly accountLogins: number;
}

/** Limits log-ins, successful or not, before their signature is verified, which calls Hive nodes. */
export class LoginLimits {
  private readonly logins: RateLimiter;
  /** By account and client together, so that others cannot lock out the owner of an account. */
  private readonly accountLogins: RateLimiter;

  constructor({ periodSeconds, logins, accountLogins }: LoginLimitSettings, redis: SharedRedis | undefined) {
    this.logins = sharedLimiter(redis, 'login', {
      name: 'logins-per-minute',
      what: 'log-ins from this address',
      max: logins,
      periodSeconds,
    });
    this.accountLogins = sharedLimiter(redis, 'account-login', {
      name: 'account-logins-per-minute',
      what: 'log-ins to this account from this address',
      max: accountLogins,
      periodSeconds,
    });
  }

  /**
   * @param account undefined if the request names none
   * @throws ServiceError `rate-limited`
   */
  async count(client: Client, account: string | undefined): Promise<void> {
    // First, so that endless attempts for one account do not exhaust the limit of the client.
    if (account !== undefined) await this.accountLogins.consume(client, account);
    await this.logins.consume(client);
  }
}
