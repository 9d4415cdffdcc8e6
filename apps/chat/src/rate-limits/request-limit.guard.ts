import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { addressKey } from '@waggle/service';
import { type FastifyRequest } from 'fastify';
import { type RateLimits } from './rate-limits';

/** A platform asks these, and a limit must not make an instance look dead. */
const unlimited = /^\/(?:health\/|metrics$)/;

/** Counts calls of the REST endpoints; not what is no endpoint, nor the API description, which cost little. */
export class RequestLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  /** @throws ServiceError `rate-limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { ip, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!unlimited.test(routeOptions.url ?? '')) await this.limits.requests.consume(addressKey(ip));
    return true;
  }
}
