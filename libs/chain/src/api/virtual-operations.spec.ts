import { virtualOperationsFilter } from './virtual-operations';

it.each([
  [['fill_convert_request'], 1],
  [['return_vesting_delegation'], 2 ** 12],
  [['producer_reward'], 2 ** 14],
  [['hardfork_hive'], 2 ** 18],
  [['effective_comment_vote'], 2 ** 22],
  [['account_created'], 2 ** 30],
  [['declined_voting_rights'], 2 ** 42],
  [['producer_reward', 'fill_convert_request', 'producer_reward'], 2 ** 14 + 1],
  [[], 0],
])('the filter of %j is %i', (names, filter) => {
  expect(virtualOperationsFilter(names)).toBe(filter);
});

it('rejects an operation that is not virtual', () => {
  expect(() => virtualOperationsFilter(['transfer'])).toThrow('transfer is not a virtual operation');
});
