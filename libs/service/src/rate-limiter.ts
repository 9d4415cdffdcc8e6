import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { ServiceError } from './errors';
import { type RedisClient } from './redis';

export interface RateLimit {
  /** What is counted, for people: `log-ins from this address`. */
  what: string;
  /** So many uses of one key are let through in each period. */
  max: number;
  /** Whole seconds: Redis counts in them. The period of a key begins with its first use. */
  periodSeconds: number;
  /**
   * Where instances share the count, under which prefix, unlike that of any other limit, and how long Redis may take, by
   * default 250 ms; without it: in the process.
   */
  shared?: { redis: RedisClient; prefix: string; timeoutMs?: number } | undefined;
}

/** A limit answers within so many milliseconds, or without Redis: whoever waits for it has done no wrong yet. */
const defaultTimeoutMs = 250;

/**
 * Counts uses by key. While Redis does not answer, each instance counts for itself, from nothing: a limit never makes a
 * service unavailable.
 */
export class RateLimiter {
  private readonly limiter: RateLimiterAbstract;
  private readonly what: string;

  constructor({ what, max, periodSeconds, shared }: RateLimit) {
    this.what = what;
    const inProcess = new RateLimiterMemory({ points: max, duration: periodSeconds });
    this.limiter = shared === undefined ? inProcess : inRedis(max, periodSeconds, shared, inProcess);
  }

  /** @throws ServiceError `rate-limited` with the time in which the key's period ends */
  async consume(key: string): Promise<void> {
    try {
      await this.limiter.consume(key);
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      throw new ServiceError('rate-limited', `too many ${this.what}; wait a while`, {
        retryAfterMs: Math.max(rejection.msBeforeNext, 1),
      });
    }
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
    // A key that has used up its period is refused without asking Redis again: a flood must not become one there.
    inMemoryBlockOnConsumed: max,
  });
  // The library's own insurance would count twice what Redis answers only after the time.
  return new RLWrapperTimeouts({ limiter, insuranceLimiter, timeoutMs });
}
