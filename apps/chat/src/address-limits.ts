import { RateLimiter, type RateLimit } from '@waggle/service';

/** The defaults of the settings `…_PER_MINUTE`. */
export const defaultAddressLimits = { logins: 60, accountLogins: 10, requests: 1_200, connections: 120 };

/** Uses of a client in each period; `accountLogins`: of an account and a client together. */
export interface AddressLimitSettings {
  readonly periodSeconds: number;
  readonly logins: number;
  readonly accountLogins: number;
  readonly requests: number;
  readonly connections: number;
}

/** Rate limits by client. */
export class AddressLimits {
  readonly logins: RateLimiter;
  /** By account and client together, so that others cannot lock out the owner of an account. */
  readonly accountLogins: RateLimiter;
  readonly connections: RateLimiter;
  /** Counted in the process: a query to Redis for every REST request would cost too much. */
  readonly requests: RateLimiter;

  /** @param shared the Redis that holds the limits of all instances, and the prefix of all its keys */
  constructor({ periodSeconds, ...max }: AddressLimitSettings, shared?: RateLimit['shared']) {
    const sharedLimiter = (name: RateLimit['name'], prefix: string, what: string, maxUses: number) =>
      new RateLimiter({
        name,
        what,
        max: maxUses,
        periodSeconds,
        shared: shared && { ...shared, prefix: `${shared.prefix}${prefix}` },
      });
    this.logins = sharedLimiter('logins-per-minute', 'login', 'log-ins from this address', max.logins);
    this.accountLogins = sharedLimiter(
      'account-logins-per-minute',
      'account-login',
      'log-ins to this account from this address',
      max.accountLogins,
    );
    this.connections = sharedLimiter(
      'connections-per-minute',
      'connection',
      'new connections from this address',
      max.connections,
    );
    this.requests = new RateLimiter({
      name: 'requests-per-minute',
      what: 'requests from this address',
      max: max.requests,
      periodSeconds,
    });
  }
}
