import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type RateLimiter } from './rate-limiter';

/**
 * Whether a route is for health or metrics. The cluster calls these, and limits must not make an instance seem dead.
 */
export function isOperational(route = ''): boolean {
  return /^\/(?:health\/|metrics$)/.test(route);
}

/** Limits calls of REST endpoints by client. Unknown paths and the API description cost little and are not counted. */
export class RequestLimitGuard implements CanActivate {
  /** @param ownLimits of routes, by their pattern, that are not counted among the requests */
  constructor(
    private readonly requests: RateLimiter,
    private readonly ownLimits: Readonly<Record<string, RateLimiter>> = {},
  ) {}

  /** @throws ServiceError `rate-limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { client, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const route = routeOptions.url ?? '';
    if (!isOperational(route)) await (this.ownLimits[route] ?? this.requests).consume(client);
    return true;
  }
}
