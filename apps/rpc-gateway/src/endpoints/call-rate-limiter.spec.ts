import { Client } from '@waggle/service';
import { CallRateLimiter } from './call-rate-limiter';

const [a, b] = [new Client('a'), new Client('b')];

describe('CallRateLimiter', () => {
  it('limits the calls of each address per period, and returns the wait time beyond the limit', () => {
    const limit = new CallRateLimiter(10, 60);
    expect(limit.count(a, 4, 1_000)).toBeUndefined();
    expect(limit.count(a, 6, 2_000)).toBeUndefined();
    expect(limit.count(a, 1, 3_000)).toBe(58_000);
    expect(limit.count(b, 10, 3_000)).toBeUndefined();
    expect(limit.count(a, 10, 61_000)).toBeUndefined();
  });

  it('allows a client as many calls as its own limit', () => {
    const limit = new CallRateLimiter(10, 60);
    const named = new Client('a', { name: 'named', limits: { 'calls-per-minute': 20 } });
    expect(limit.count(named, 20, 0)).toBeUndefined();
    expect(limit.count(named, 1, 0)).toBe(60_000);
  });

  it('rejects a batch that exceeds the limit by itself, and does not count it', () => {
    const limit = new CallRateLimiter(10, 60);
    expect(limit.count(a, 11, 0)).toBe(60_000);
    expect(limit.count(a, 10, 0)).toBeUndefined();
  });

  it('forgets addresses whose period has ended', () => {
    const limit = new CallRateLimiter(1, 1);
    for (let index = 0; index < 30_000; index += 1) limit.count(new Client(`a${index}`), 1, index);
    expect(limit['periods'].size).toBeLessThan(12_000);
  });
});
