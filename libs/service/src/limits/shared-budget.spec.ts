import { SharedBudget } from './shared-budget';

/** Takes single units until no holder gets another. */
function fill(budget: SharedBudget, holders: readonly string[]): number[] {
  while (holders.map((holder) => budget.take(holder, 1)).includes(true));
  return holders.map((holder) => budget.heldBy(holder));
}

describe('SharedBudget', () => {
  it.each([
    { holders: ['a'], shares: [500] },
    { holders: ['a', 'b'], shares: [333, 333] },
    { holders: ['a', 'b', 'c', 'd'], shares: [200, 200, 200, 200] },
  ])('limits each of $holders.length (n) holders to 1/(n+1) of the budget', ({ holders, shares }) => {
    expect(fill(new SharedBudget(1_000), holders)).toEqual(shares);
  });

  it('has room for a new holder when the others hold their maximum', () => {
    const budget = new SharedBudget(1_000);
    fill(budget, ['a', 'b']);
    expect(budget.take('c', 167)).toBe(true);
    expect(budget.free).toBe(167);
    expect(budget.take('a', 1)).toBe(false);
  });

  it('takes all or nothing', () => {
    const budget = new SharedBudget(1_000);
    expect(budget.take('a', 501)).toBe(false);
    expect([budget.heldBy('a'), budget.free]).toEqual([0, 1_000]);
    expect(budget.take('a', 500)).toBe(true);
    expect([budget.heldBy('a'), budget.free]).toEqual([500, 500]);
  });

  it('reuses what was released', () => {
    const budget = new SharedBudget(1_000);
    fill(budget, ['a', 'b']);
    budget.release('a', 333);
    expect([budget.heldBy('a'), budget.free]).toEqual([0, 667]);
    expect(budget.take('b', 167)).toBe(true);
  });

  it('throws if a holder releases more than it holds', () => {
    const budget = new SharedBudget(1_000);
    budget.take('a', 10);
    expect(() => {
      budget.release('a', 11);
    }).toThrow(RangeError);
    expect(() => {
      budget.release('b', 1);
    }).toThrow(RangeError);
    expect([budget.heldBy('a'), budget.free]).toEqual([10, 990]);
  });
});
