import { CallsUnderWay } from './calls-under-way';

describe('CallsUnderWay', () => {
  it('has room for so many of each address, and again when they have ended', () => {
    const underWay = new CallsUnderWay(50);
    underWay.begin('a', 49);
    expect([underWay.hasRoom('a', 1), underWay.hasRoom('a', 2), underWay.hasRoom('b', 50)]).toEqual([
      true,
      false,
      true,
    ]);
    underWay.begin('a', 1);
    underWay.end('a', 49);
    expect([underWay.hasRoom('a', 49), underWay.hasRoom('a', 50)]).toEqual([true, false]);
  });

  it('forgets who has none under way', () => {
    const underWay = new CallsUnderWay(50);
    underWay.begin('a', 3);
    underWay.end('a', 2);
    underWay.end('a', 1);
    expect(underWay['calls'].size).toBe(0);
  });
});
