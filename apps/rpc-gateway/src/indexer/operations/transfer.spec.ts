import { isWantedTransfer } from './transfer';

it.each([
  ['null', true],
  ['alice', false],
  // The handler cannot decode it, and the follower then distrusts the node that returned it.
  [7, true],
])('a transfer to %j is wanted: %s', (to, expected) => {
  expect(isWantedTransfer({ type: 'transfer_operation', value: { to } })).toBe(expected);
});

it('keeps operations of other types', () => {
  expect(isWantedTransfer({ type: 'vote_operation', value: { to: 'alice' } })).toBe(true);
});
