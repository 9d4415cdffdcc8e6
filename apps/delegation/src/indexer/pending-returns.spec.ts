import { PendingReturns, type PendingReturn } from './pending-returns';

const day = (days: number) => new Date(Date.UTC(2026, 0, days));
const pending = (id: number, due: number, amount = 5n, delegator = 'alice'): PendingReturn => ({
  ...{ id, delegator, amount, returns: day(due) },
});
const ids = (returns: readonly PendingReturn[]) => returns.map(({ id }) => id);

describe('PendingReturns', () => {
  it('removes the earliest of several equal returns, in whatever order they were added', () => {
    const returns = new PendingReturns([pending(3, 9), pending(1, 7), pending(2, 8)]);
    returns.add(pending(4, 6));
    returns.add(pending(5, 8));
    const left: number[][] = [];
    for (let n = 0; n < 6; n += 1) {
      returns.remove({ delegator: 'alice', amount: 5n });
      left.push([...returns.removed, ...ids(returns.added)]);
    }
    // 4 returns first and was never stored; 5 is due at the same time as 2, and is newer.
    expect(left).toEqual([[5], [1, 5], [1, 2, 5], [1, 2], [3, 1, 2], [3, 1, 2]]);
  });

  it('does not remove a return of another amount or account', () => {
    const returns = new PendingReturns([pending(1, 7, 6n), pending(2, 7, 5n, 'bob')]);
    returns.remove({ delegator: 'alice', amount: 5n });
    expect(returns.removed).toEqual([]);
  });

  it('does not remove a return that is due after the given time', () => {
    const returns = new PendingReturns([pending(1, 7)]);
    returns.remove({ delegator: 'alice', amount: 5n }, day(6));
    expect(returns.removed).toEqual([]);
    returns.remove({ delegator: 'alice', amount: 5n }, day(7));
    expect(returns.removed).toEqual([1]);
  });

  it('replaces a loaded return when its block is applied', () => {
    const returns = new PendingReturns([pending(1, 7), pending(2, 8)]);
    returns.addOrReplaceLoaded(pending(100, 8), (id) => id < 50);
    expect([returns.removed, ids(returns.added)]).toEqual([[2], [100]]);
    returns.addOrReplaceLoaded(pending(101, 9), (id) => id < 50);
    expect([returns.removed, ids(returns.added)]).toEqual([[2], [100, 101]]);
  });

  it('removes all returns of a cleared account, and none of others', () => {
    const returns = new PendingReturns([pending(1, 7), pending(2, 8, 6n), pending(3, 8, 5n, 'bob')]);
    returns.add(pending(4, 9));
    returns.clear('alice');
    returns.remove({ delegator: 'alice', amount: 5n });
    expect([returns.removed, returns.added]).toEqual([[1, 2], []]);
  });
});
