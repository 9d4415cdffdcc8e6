import { CallLimit } from './call-limit';

describe('CallLimit', () => {
  it('lets so many calls of an address through in a period, and tells the others when to come again', () => {
    const limit = new CallLimit(10, 60);
    expect(limit.count('a', 4, 1_000)).toBeUndefined();
    expect(limit.count('a', 6, 2_000)).toBeUndefined();
    expect(limit.count('a', 1, 3_000)).toBe(58_000);
    expect(limit.count('b', 10, 3_000)).toBeUndefined();
    expect(limit.count('a', 10, 61_000)).toBeUndefined();
  });

  it('lets no batch through that is too large by itself', () => {
    expect(new CallLimit(10, 60).count('a', 11, 0)).toBe(60_000);
  });

  it('forgets those whose period is over', () => {
    const limit = new CallLimit(1, 1);
    for (let index = 0; index < 30_000; index += 1) limit.count(`a${index}`, 1, index);
    expect(limit['periods'].size).toBeLessThan(12_000);
  });
});
