import { randomUUID } from 'node:crypto';
import { startRedis, type RedisServer, until } from '@waggle/testing';
import { Client } from '../src/limits/client';
import { createLogger } from '../src/observability/logging';
import { type RateLimit, RateLimiter } from '../src/limits/rate-limiter';
import { connectRedis, type RedisClient } from '../src/redis';

describe('RateLimiter over Redis', () => {
  const logger = createLogger('test', 'silent');
  let server: RedisServer;
  let redis: RedisClient;
  let other: RedisClient;

  beforeAll(async () => {
    server = await startRedis();
    redis = await connectRedis([server.url], logger);
    other = await connectRedis([server.url], logger);
  });

  afterAll(async () => {
    redis.disconnect();
    other.disconnect();
    await server.stop();
  });

  /** The same limit at two instances, which count in Redis even if the machine is slow. */
  function atBoth(max: number, prefix = randomUUID()): [RateLimiter, RateLimiter] {
    return [
      limiter(max, { redis, prefix, timeoutMs: 10_000 }),
      limiter(max, { redis: other, prefix, timeoutMs: 10_000 }),
    ];
  }

  function limiter(max: number, shared: RateLimit['shared']): RateLimiter {
    return new RateLimiter({ name: 'logins-per-minute', what: 'tries', max, periodSeconds: 60, shared });
  }

  /** The number of allowed uses, of this many concurrent ones at alternating instances. */
  async function letThrough(limiters: readonly RateLimiter[], uses: number): Promise<number> {
    const inTurn = Array.from({ length: uses / limiters.length }, () => limiters).flat();
    const outcomes = await Promise.allSettled(inTurn.map((limiter) => limiter.consume(new Client('a'))));
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  }

  it('allows `max` uses across all instances, and returns the time of the next use to each', async () => {
    const [here, there] = atBoth(10);
    expect(await letThrough([here, there], 40)).toBe(10);
    for (const limiter of [here, there]) {
      const rejection: unknown = await limiter.consume(new Client('a')).catch((error: unknown) => error);
      expect(rejection).toMatchObject({ name: 'ServiceError', code: 'rate-limited' });
      expect(rejection).toHaveProperty('details.retryAfterMs', expect.any(Number));
      await limiter.consume(new Client('b'));
    }
  });

  it('stores keys in Redis only for the period, and only under the prefix', async () => {
    const prefix = randomUUID();
    const [here] = atBoth(1, prefix);
    await here.consume(new Client('a'));
    const keys = await redis.keys(`*${prefix}*`);
    expect(keys).toEqual([`${prefix}:a`]);
    expect(await redis.ttl(`${prefix}:a`)).toBeGreaterThan(0);
  });

  it('counts in each instance while Redis is unavailable, and together when it is back', async () => {
    expect(await letThrough(atBoth(3), 12)).toBe(3);
    await server.kill();
    for (const limiter of atBoth(3)) expect(await letThrough([limiter], 12)).toBe(3);
    await server.restart();
    await Promise.all([redis, other].map(untilReady));
    expect(await letThrough(atBoth(3), 12)).toBe(3);
  });

  it('decides at once while Redis hangs, and still counts', async () => {
    const hurried = () => limiter(3, { redis, prefix: randomUUID() });
    await hurried().consume(new Client('b'));
    server.pause();
    const tookMs: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const startedAtMs = performance.now();
      expect(await letThrough([hurried()], 12)).toBe(3);
      tookMs.push(performance.now() - startedAtMs);
    }
    // The fastest one, since a busy machine may delay some. A command times out after 2,000.
    expect(Math.min(...tookMs)).toBeLessThan(1_500);
    server.resume();
    await Promise.all([redis, other].map(untilReady));
    expect(await letThrough(atBoth(3), 12)).toBe(3);
  });
});

/** Resolves when Redis responds to commands. */
function untilReady(redis: RedisClient): Promise<void> {
  return until(async () => (await redis.ping().catch(() => undefined)) !== undefined);
}
