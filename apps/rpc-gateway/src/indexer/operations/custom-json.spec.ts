import { isWanted } from './custom-json';

it.each([
  ['follow', true],
  ['community', true],
  ['some-game', false],
  // Invalid: the handler rejects it, so that the node is distrusted.
  [7, true],
])('selects the custom operations that the index reads: %s', (id, expected) => {
  expect(isWanted({ type: 'custom_json_operation', value: { id } })).toBe(expected);
  expect(isWanted({ type: 'vote_operation', value: { id } })).toBe(true);
});
