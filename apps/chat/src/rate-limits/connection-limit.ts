import { type IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { addressKey } from '@waggle/service';
import { type RateLimits } from './rate-limits';

/** Limits new WebSockets by client address, before the upgrade. */
export class ConnectionLimit {
  private readonly isTrusted: ReturnType<typeof proxyAddress.compile>;

  /** @param trustedProxies as in Fastify, since an upgrade has no Fastify request with an `ip` */
  constructor(
    private readonly limits: RateLimits,
    trustedProxies: readonly string[],
  ) {
    this.isTrusted = proxyAddress.compile([...trustedProxies]);
  }

  /** @throws ServiceError `rate-limited` */
  consume(upgrade: IncomingMessage): Promise<void> {
    return this.limits.connections.consume(addressKey(proxyAddress(upgrade, this.isTrusted)));
  }
}
