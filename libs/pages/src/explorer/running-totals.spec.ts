import { runningTotals } from './running-totals';

const change = (delegator: string, amount: number, second: number) => ({
  id: second,
  delegator,
  delegatee: 'alice',
  amount,
  createdMs: second * 1_000,
});

const changes = [change('bob', 100, 1), change('carol', 50, 2), change('bob', 30, 3), change('carol', 0, 4)];

it('sums the latest amounts of all delegators after each change', () => {
  expect(runningTotals(changes, 30)).toEqual([
    { seconds: 1, vests: 100 },
    { seconds: 2, vests: 150 },
    { seconds: 3, vests: 80 },
    { seconds: 4, vests: 30 },
  ]);
});

it('ends at the current total if delegations are older than the history', () => {
  expect(runningTotals(changes, 1_030).map(({ vests }) => vests)).toEqual([1_100, 1_150, 1_080, 1_030]);
});

it('begins at zero if only the first changes are known', () => {
  expect(runningTotals(changes.slice(0, 1), undefined)).toEqual([{ seconds: 1, vests: 100 }]);
});
