import { type IncomingMessage } from 'node:http';
import { clientKeyFor } from '@waggle/service';
import { type AddressLimits } from '../address-limits';

/** Limits new WebSockets by client address, before the upgrade. */
export class ConnectionLimit {
  private readonly clientKeyOf: (upgrade: IncomingMessage) => string;

  /** @param trustedProxies as in Fastify, since an upgrade has no Fastify request with an `ip` */
  constructor(
    private readonly limits: AddressLimits,
    trustedProxies: readonly string[],
  ) {
    this.clientKeyOf = clientKeyFor(trustedProxies);
  }

  /** @throws ServiceError `rate-limited` */
  consume(upgrade: IncomingMessage): Promise<void> {
    return this.limits.connections.consume(this.clientKeyOf(upgrade));
  }
}
