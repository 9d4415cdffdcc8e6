import { TokenBucket } from './token-bucket';

describe('TokenBucket', () => {
  const taken = (bucket: TokenBucket, tries: number, nowMs: number) =>
    Array.from({ length: tries }, () => bucket.take(nowMs)).filter(Boolean).length;

  it('gives what lies in it at once, and then as much as comes', () => {
    const bucket = new TokenBucket({ perSecond: 100, burst: 500 }, 0);
    expect(taken(bucket, 1_000, 0)).toBe(500);
    expect(taken(bucket, 1_000, 1_000)).toBe(100);
    expect(taken(bucket, 1_000, 1_010)).toBe(1);
    expect(taken(bucket, 1_000, 1_015)).toBe(0);
    expect(taken(bucket, 1_000, 1_020)).toBe(1);
  });

  it('holds no more than its burst, however long it is left alone', () => {
    const bucket = new TokenBucket({ perSecond: 100, burst: 5 }, 0);
    expect(taken(bucket, 10, 1_000_000)).toBe(5);
  });

  it('says when it will give again', () => {
    const bucket = new TokenBucket({ perSecond: 4, burst: 1 }, 0);
    bucket.take(0);
    expect(bucket.take(100)).toBe(false);
    expect(bucket.emptyForMs).toBe(150);
    expect(bucket.take(249)).toBe(false);
    expect(bucket.take(250)).toBe(true);
  });
});
