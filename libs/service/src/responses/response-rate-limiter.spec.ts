import { ResponseRateLimiter } from './response-rate-limiter';

const mebibyte = 1024 * 1024;

describe('ResponseRateLimiter', () => {
  it('allows a burst, and then `bytesPerSecond`', () => {
    const limiter = new ResponseRateLimiter(mebibyte);
    limiter.charge('192.0.2.1', 2 * mebibyte, { nowMs: 0 });
    expect(limiter.waitMs('192.0.2.1', 0)).toBe(0);
    limiter.charge('192.0.2.1', 3 * mebibyte, { nowMs: 0 });
    expect(limiter.waitMs('192.0.2.1', 0)).toBe(3_000);
    expect(limiter.waitMs('192.0.2.1', 2_000)).toBe(1_000);
    expect(limiter.waitMs('192.0.2.1', 3_000)).toBe(0);
    expect(limiter.waitMs('192.0.2.2', 0)).toBe(0);
  });

  it('allows a client its own rate', () => {
    const limiter = new ResponseRateLimiter(mebibyte);
    limiter.charge('named', 40 * mebibyte, { bytesPerSecond: 10 * mebibyte, nowMs: 0 });
    expect(limiter.waitMs('named', 0)).toBe(2_000);
    expect(limiter.waitMs('named', 1_500)).toBe(500);
  });

  it('has a burst of two seconds if that is more', () => {
    const limiter = new ResponseRateLimiter(20 * mebibyte);
    limiter.charge('192.0.2.1', 40 * mebibyte, { nowMs: 0 });
    expect(limiter.waitMs('192.0.2.1', 0)).toBe(0);
  });

  it('remembers a debt regardless of the number of clients', () => {
    const limiter = new ResponseRateLimiter(mebibyte);
    limiter.charge('debtor', 100 * mebibyte, { nowMs: 0 });
    for (let n = 0; n < 20_001; n += 1) limiter.charge(`client ${n}`, 1, { nowMs: n });
    expect(limiter.waitMs('debtor', 20_000)).toBe(78_000);
  });
});
