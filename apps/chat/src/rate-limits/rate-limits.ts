import { RateLimiter, type RateLimit } from '@waggle/service';
import { type ChatConfig } from '../config';

type Shared = NonNullable<RateLimit['shared']>;

/** The limits that count by the address from which somebody comes. Keys are those of `addressKey`. */
export class RateLimits {
  readonly logins: RateLimiter;
  /** By account and address together: a stranger elsewhere cannot use up what its owner needs. */
  readonly accountLogins: RateLimiter;
  readonly connections: RateLimiter;
  /** In the process: every REST request passes here, and none is worth a question to Redis. */
  readonly requests: RateLimiter;

  /** @param shared the Redis over which instances share them, and the prefix of all their keys */
  constructor({ periodSeconds, ...most }: ChatConfig['rateLimits'], shared?: Shared) {
    const under = (name: string): Shared | undefined => shared && { ...shared, prefix: `${shared.prefix}${name}` };
    this.logins = new RateLimiter({
      what: 'log-ins from this address',
      most: most.logins,
      periodSeconds,
      shared: under('login'),
    });
    this.accountLogins = new RateLimiter({
      what: 'log-ins to this account from this address',
      most: most.accountLogins,
      periodSeconds,
      shared: under('account-login'),
    });
    this.connections = new RateLimiter({
      what: 'new connections from this address',
      most: most.connections,
      periodSeconds,
      shared: under('connection'),
    });
    this.requests = new RateLimiter({ what: 'requests from this address', most: most.requests, periodSeconds });
  }
}
