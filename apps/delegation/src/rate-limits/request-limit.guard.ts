import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { addressKey, RateLimiter } from '@waggle/service';
import { type FastifyRequest } from 'fastify';
import { type DelegationConfig } from '../config';

/** A platform asks these, and a limit must not make an instance look dead. */
const unlimited = /^\/(?:health\/|metrics$)/;

/** Counts calls by the address they come from, at this instance: none is worth a question to another server. */
export class RequestLimitGuard implements CanActivate {
  private readonly requests: RateLimiter;

  constructor({ requests, periodSeconds }: DelegationConfig['rateLimits']) {
    this.requests = new RateLimiter({ what: 'requests from this address', most: requests, periodSeconds });
  }

  /** @throws ServiceError `rate-limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { ip, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!unlimited.test(routeOptions.url ?? '')) await this.requests.consume(addressKey(ip));
    return true;
  }
}
