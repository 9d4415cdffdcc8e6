import { setTimeout as delay } from 'node:timers/promises';
import { Client } from './client';
import { ServiceError } from '../errors/errors';
import { RateLimiter } from './rate-limiter';

const limit = { name: 'logins-per-minute', what: 'log-ins from this address', periodSeconds: 60 } as const;
const [a, b] = [new Client('a'), new Client('b')];

describe('RateLimiter in the process', () => {
  it('allows `max` uses of a key, and then rejects', async () => {
    const limiter = new RateLimiter({ ...limit, max: 2 });
    await limiter.consume(a);
    await limiter.consume(a);
    expect(await rejectionOf(limiter)).toMatchObject({
      code: 'rate-limited',
      message: 'too many log-ins from this address; wait a while',
      details: { limit: 'logins-per-minute' },
    });
    await limiter.consume(b);
  });

  it('returns the time until the next use is allowed, and allows it then', async () => {
    const limiter = new RateLimiter({ ...limit, max: 1, periodSeconds: 1 });
    await limiter.consume(a);
    const { retryAfterMs = Infinity } = (await rejectionOf(limiter)).details;
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(1_000);
    // A timer may fire within the last millisecond.
    await delay(retryAfterMs + 1);
    await limiter.consume(a);
  });

  it('allows a client as many uses as its own limit', async () => {
    const limiter = new RateLimiter({ ...limit, max: 1 });
    const named = new Client('a', { name: 'named', limits: { 'logins-per-minute': 3, 'requests-per-minute': 1 } });
    for (let use = 0; use < 3; use += 1) await limiter.consume(named);
    await expect(limiter.consume(named)).rejects.toMatchObject({ code: 'rate-limited' });
    await limiter.consume(b);
    await expect(limiter.consume(b)).rejects.toMatchObject({ code: 'rate-limited' });
  });

  it('counts separately from other limiters', async () => {
    await new RateLimiter({ ...limit, max: 1 }).consume(a);
    await expect(new RateLimiter({ ...limit, max: 1 }).consume(a)).resolves.toBeUndefined();
  });
});

async function rejectionOf(limiter: RateLimiter): Promise<ServiceError> {
  const rejection: unknown = await limiter.consume(a).catch((error: unknown) => error);
  if (rejection instanceof ServiceError) return rejection;
  throw new Error('not rejected');
}
