import { FrameLimits, type Payer } from './frame-limits';
import { TokenBucket } from './token-bucket';
import { RateLimitExceeded } from '../errors';

const connectionOf = (account: string): Payer => ({ authentication: { account } });
const strangersConnection = (): Payer => ({ authentication: undefined });

describe('FrameLimits', () => {
  const pace = { perSecond: 10, burst: 50 };
  let limits: FrameLimits;
  beforeEach(() => {
    limits = new FrameLimits(pace, 0);
  });

  function rejection(payer: Payer, nowMs = 0): unknown {
    try {
      limits.charge(payer, { nowMs });
    } catch (error) {
      return error;
    }
    return undefined;
  }

  const letThrough = (payer: Payer, tries: number, nowMs = 0) =>
    Array.from({ length: tries }, () => rejection(payer, nowMs)).filter((error) => error === undefined).length;

  it('counts the frames of all connections of an account together, and of no other', () => {
    expect(letThrough(connectionOf('alice'), 30)).toBe(30);
    expect(letThrough(connectionOf('alice'), 30)).toBe(20);
    expect(letThrough(connectionOf('bob'), 60)).toBe(50);
  });

  it('reports when to try again', () => {
    const alice = connectionOf('alice');
    letThrough(alice, 50);
    expect(rejection(alice)).toMatchObject({ code: 'rate-limited', details: { retryAfterMs: 100 } });
    expect(rejection(alice, 100)).toBeUndefined();
  });

  it('counts the frames of each unauthenticated connection separately, with a lower limit', () => {
    const stranger = strangersConnection();
    expect(letThrough(stranger, 60)).toBe(20);
    expect(letThrough(strangersConnection(), 60)).toBe(20);
    expect(letThrough(connectionOf('alice'), 60)).toBe(50);
    expect(letThrough(stranger, 60, 1_000)).toBe(10);
  });

  it('closes the connection at the 200th rejection within 10 s', () => {
    const alice = connectionOf('alice');
    letThrough(alice, 50);
    const rejections = Array.from({ length: 200 }, () => rejection(alice));
    expect(rejections.findIndex((error) => error instanceof RateLimitExceeded)).toBe(199);
    expect(rejection(connectionOf('alice'))).toBeInstanceOf(RateLimitExceeded);
  });

  it('keeps connections whose rejections are spread over time', () => {
    const alice = connectionOf('alice');
    for (let period = 0; period < 10; period += 1) {
      const rejections = Array.from({ length: 50 + 199 }, () => rejection(alice, period * 10_000));
      expect(rejections.filter((error) => error instanceof RateLimitExceeded)).toEqual([]);
    }
  });

  it('remembers what an account has spent until it is replenished, whether it is connected or not', () => {
    expect(letThrough(connectionOf('alice'), 50)).toBe(50);
    expect(letThrough(connectionOf('alice'), 50, 1_000)).toBe(10);
    expect(letThrough(connectionOf('alice'), 5, 10_500)).toBe(5);
    expect(letThrough(connectionOf('alice'), 60, 10_500)).toBe(45);
    expect(letThrough(connectionOf('alice'), 60, 10_600)).toBe(1);
  });

  it('charges prices known only afterwards to all connections of the account, and rejects frames until the debt is paid', () => {
    limits.chargeAfterwards(connectionOf('alice'), 150, 0);
    expect(limits.affordableInMs(connectionOf('alice'), 5, 0)).toBe(10_500);
    expect(rejection(connectionOf('alice'))).toMatchObject({ code: 'rate-limited', details: { retryAfterMs: 10_100 } });
    expect(rejection(connectionOf('bob'))).toBeUndefined();
    expect(rejection(connectionOf('alice'), 10_100)).toBeUndefined();
  });

  it('does not forget a debt before it is paid', () => {
    limits.chargeAfterwards(connectionOf('alice'), 450, 0);
    for (const nowMs of [11_000, 22_000, 33_000]) limits.charge(connectionOf('bob'), { nowMs });
    expect(limits.affordableInMs(connectionOf('alice'), 0, 33_000)).toBe(7_000);
  });

  it('remembers only accounts that have sent a frame recently', () => {
    for (let i = 0; i < 1_000; i += 1) limits.charge(connectionOf(`account-${i}`), { nowMs: i });
    expect(limits.size).toBe(1_000);
    limits.charge(connectionOf('alice'), { nowMs: 11_000 });
    limits.charge(connectionOf('alice'), { nowMs: 22_000 });
    limits.charge(connectionOf('alice'), { nowMs: 33_000 });
    expect(limits.size).toBe(1);
  });
});

describe('TokenBucket', () => {
  const taken = (bucket: TokenBucket, tries: number, nowMs: number) =>
    Array.from({ length: tries }, () => bucket.charge(nowMs)).filter(Boolean).length;

  it('grants its burst at once, and then its rate', () => {
    const bucket = new TokenBucket({ perSecond: 100, burst: 500 }, 0);
    expect(taken(bucket, 1_000, 0)).toBe(500);
    expect(taken(bucket, 1_000, 1_000)).toBe(100);
    expect(taken(bucket, 1_000, 1_010)).toBe(1);
    expect(taken(bucket, 1_000, 1_015)).toBe(0);
    expect(taken(bucket, 1_000, 1_020)).toBe(1);
  });

  it('never holds more than its burst', () => {
    const bucket = new TokenBucket({ perSecond: 100, burst: 5 }, 0);
    expect(taken(bucket, 10, 1_000_000)).toBe(5);
  });

  it('takes a price completely or not at all, and never more than its capacity', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 20 }, 0);
    expect(bucket.charge(0, 15)).toBe(true);
    expect(bucket.charge(0, 15)).toBe(false);
    expect(bucket.missingForMs(15)).toBe(1_000);
    expect(bucket.charge(0, 5)).toBe(true);
    expect(bucket.charge(1_999, 50)).toBe(false);
    expect(bucket.charge(2_000, 50)).toBe(true);
  });

  it('goes into debt for later charges, and grants nothing until the debt is paid', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 20 }, 0);
    bucket.chargeAfterwards(0, 50);
    expect(bucket.affordableInMs(0, 0)).toBe(3_000);
    expect(bucket.charge(0)).toBe(false);
    expect(bucket.missingForMs()).toBe(3_100);
    expect(bucket.affordableInMs(2_000, 5)).toBe(1_500);
    expect(bucket.charge(3_099)).toBe(false);
    expect(bucket.charge(3_100)).toBe(true);
    expect(bucket.isFull(5_099)).toBe(false);
    expect(bucket.isFull(5_100)).toBe(true);
  });

  it('takes the rest of a price of which a part was paid before', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 20 }, 0);
    const payInTwo = (nowMs: number, price: number) => bucket.charge(nowMs, 5) && bucket.charge(nowMs, price, 5);
    expect(payInTwo(0, 12)).toBe(true);
    expect(payInTwo(0, 12)).toBe(false);
    expect(bucket.missingForMs(12)).toBe(900);
    // A retry takes the first part again.
    expect(payInTwo(900, 12)).toBe(true);
    expect(payInTwo(2_900, 1_000)).toBe(true);
    expect(bucket.charge(2_900)).toBe(false);
  });

  it('reports when tokens are available again', () => {
    const bucket = new TokenBucket({ perSecond: 4, burst: 1 }, 0);
    bucket.charge(0);
    expect(bucket.charge(100)).toBe(false);
    expect(bucket.missingForMs()).toBe(150);
    expect(bucket.charge(249)).toBe(false);
    expect(bucket.charge(250)).toBe(true);
  });
});
