import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { type Client } from './client';
import { ServiceError } from '../errors/errors';
import { type ClientLimitName } from '../errors/limit-names';
import { type RedisClient } from '../redis/connection';

export interface RateLimit {
  name: ClientLimitName;
  /** What is counted, for the error message: `log-ins from this address`. */
  what: string;
  /** Allowed uses of a key per period, unless its client has its own limit. */
  max: number;
  /** Whole seconds: Redis counts in them. The period of a key begins with its first use. */
  periodSeconds: number;
  /**
   * Shares the count between instances in Redis, under a prefix that no other limit uses. Redis may take `timeoutMs`,
   * by default 250 ms. Without this the count is per process.
   */
  shared?: { redis: RedisClient; prefix: string; timeoutMs?: number } | undefined;
}

/** Timeout of Redis in milliseconds. After it, the process counts by itself: legitimate requests are waiting. */
const defaultTimeoutMs = 250;

/**
 * Limits uses per key and period. While Redis does not respond, each instance counts by itself from 0, so a limit never
 * makes a service unavailable.
 */
export class RateLimiter {
  /** By the allowed uses. */
  private readonly limiters = new Map<number, RateLimiterAbstract>();

  constructor(private readonly limit: RateLimit) {}

  /**
   * @param account counts the account and the client together; by default the client
   * @throws ServiceError `rate-limited` with the time until the key's period ends
   */
  async consume(client: Client, account?: string): Promise<void> {
    const { name, what, max } = this.limit;
    const key = client.keyFor(name);
    try {
      await this.limiterFor(client.maxOf(name) ?? max).consume(account === undefined ? key : `${account}@${key}`);
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      const retryAfterMs = Math.max(rejection.msBeforeNext, 1);
      throw new ServiceError('rate-limited', `too many ${what}; wait a while`, { retryAfterMs, limit: name });
    }
  }

  private limiterFor(max: number): RateLimiterAbstract {
    let limiter = this.limiters.get(max);
    if (limiter === undefined) {
      const { periodSeconds, shared } = this.limit;
      const inProcess = new RateLimiterMemory({ points: max, duration: periodSeconds });
      limiter = shared === undefined ? inProcess : inRedis(max, periodSeconds, shared, inProcess);
      this.limiters.set(max, limiter);
    }
    return limiter;
  }
}

function inRedis(
  max: number,
  periodSeconds: number,
  { redis, prefix, timeoutMs = defaultTimeoutMs }: NonNullable<RateLimit['shared']>,
  insuranceLimiter: RateLimiterMemory,
): RateLimiterAbstract {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: prefix,
    points: max,
    duration: periodSeconds,
    // A blocked key is rejected without another call, so that a flood of requests does not reach Redis.
    inMemoryBlockOnConsumed: max,
  });
  // The library's own insurance limiter would count a use twice if Redis responds after the timeout.
  return new RLWrapperTimeouts({ limiter, insuranceLimiter, timeoutMs });
}
