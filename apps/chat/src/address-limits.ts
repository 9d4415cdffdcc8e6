import { RateLimiter, type RateLimit } from '@waggle/service';
import { type ChatConfig } from './config';

type Shared = NonNullable<RateLimit['shared']>;

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
  constructor({ periodSeconds, ...max }: ChatConfig['addressLimits'], shared?: Shared) {
    const under = (name: string): Shared | undefined => shared && { ...shared, prefix: `${shared.prefix}${name}` };
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
    this.connections = new RateLimiter({
      what: 'new connections from this address',
      max: max.connections,
      periodSeconds,
      shared: under('connection'),
    });
    this.requests = new RateLimiter({ what: 'requests from this address', max: max.requests, periodSeconds });
  }
}
