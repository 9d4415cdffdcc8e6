import { type RateLimit, RateLimiter } from '../limits/rate-limiter';
import { type SharedRedis } from './shared-redis';

/** Creates a limiter that all instances count together. @param key of its counts, unique among the limiters */
export function sharedLimiter(
  redis: SharedRedis | undefined,
  key: string,
  limit: Omit<RateLimit, 'shared'>,
): RateLimiter {
  const shared = redis && { redis: redis.commands, prefix: `${redis.prefix}limit:${key}` };
  return new RateLimiter({ ...limit, shared });
}
