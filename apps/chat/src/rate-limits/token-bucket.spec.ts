import { TokenBucket } from './token-bucket';

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
