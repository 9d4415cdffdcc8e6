import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { addressKey } from './address-key';
import { type RateLimiter } from './rate-limiter';

/** A platform asks these, and a limit must not make an instance look dead. */
const unlimited = /^\/(?:health\/|metrics$)/;

/** Counts calls of the REST endpoints by address; not what is no endpoint, nor the API description, which cost little. */
export class RequestLimitGuard implements CanActivate {
  constructor(private readonly requests: RateLimiter) {}

  /** @throws ServiceError `rate-limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { ip, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!unlimited.test(routeOptions.url ?? '')) await this.requests.consume(addressKey(ip));
    return true;
  }
}
