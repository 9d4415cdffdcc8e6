import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from './errors';
import { RateLimiter } from './rate-limiter';

const limit = { what: 'log-ins from this address', periodSeconds: 60 };

describe('RateLimiter in the process', () => {
  it('allows `max` uses of a key, and then rejects', async () => {
    const limiter = new RateLimiter({ ...limit, max: 2 });
    await limiter.consume('a');
    await limiter.consume('a');
    expect(await rejectionOf(limiter)).toMatchObject({
      code: 'rate-limited',
      message: 'too many log-ins from this address; wait a while',
    });
    await limiter.consume('b');
  });

  it('returns the time until the next use is allowed, and allows it then', async () => {
    const limiter = new RateLimiter({ ...limit, max: 1, periodSeconds: 1 });
    await limiter.consume('a');
    const { retryAfterMs = Infinity } = (await rejectionOf(limiter)).details;
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(1_000);
    // A timer may fire within the last millisecond.
    await delay(retryAfterMs + 1);
    await limiter.consume('a');
  });

  it('counts separately from other limiters', async () => {
    await new RateLimiter({ ...limit, max: 1 }).consume('a');
    await expect(new RateLimiter({ ...limit, max: 1 }).consume('a')).resolves.toBeUndefined();
  });
});

async function rejectionOf(limiter: RateLimiter): Promise<ServiceError> {
  const rejection: unknown = await limiter.consume('a').catch((error: unknown) => error);
  if (rejection instanceof ServiceError) return rejection;
  throw new Error('not rejected');
}
