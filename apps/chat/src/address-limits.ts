import { RateLimiter, type RateLimit } from '@waggle/service';
import { type ChatConfig } from './config';

/** The defaults of the settings `…_PER_MINUTE`. */
export const defaultAddressLimits = { logins: 60, accountLogins: 10, requests: 1_200, connections: 120 };

/** Rate limits by client address. Keys are those of `addressKey`. */
export class AddressLimits {
  readonly logins: RateLimiter;
  /** By account and address together, so that others cannot lock out the owner of an account. */
  readonly accountLogins: RateLimiter;
  readonly connections: RateLimiter;
  /** Counted in the process: a query to Redis for every REST request would cost too much. */
  readonly requests: RateLimiter;

  /** @param shared the Redis over which instances share them, and the prefix of all their keys */
  constructor({ periodSeconds, ...max }: ChatConfig['addressLimits'], shared?: RateLimit['shared']) {
    const sharedLimiter = (name: string, what: string, maxUses: number) =>
      new RateLimiter({
        what,
        max: maxUses,
        periodSeconds,
        shared: shared && { ...shared, prefix: `${shared.prefix}${name}` },
      });
    this.logins = sharedLimiter('login', 'log-ins from this address', max.logins);
    this.accountLogins = sharedLimiter('account-login', 'log-ins to this account from this address', max.accountLogins);
    this.connections = sharedLimiter('connection', 'new connections from this address', max.connections);
    this.requests = new RateLimiter({ what: 'requests from this address', max: max.requests, periodSeconds });
  }
}
