import { isWantedCustomJson } from './custom-json';

it.each([
  ['follow', true],
  ['reblog', true],
  ['community', true],
  ['notify', true],
  ['some-game', false],
])('custom operations with the id %s are wanted: %s', (id, expected) => {
  expect(isWantedCustomJson({ type: 'custom_json_operation', value: { id } })).toBe(expected);
});

// The handler cannot decode it, and the follower then distrusts the node that returned it.
it('keeps an operation whose id is not a string', () => {
  expect(isWantedCustomJson({ type: 'custom_json_operation', value: { id: 7 } })).toBe(true);
});

it('keeps operations of other types', () => {
  expect(isWantedCustomJson({ type: 'comment_operation', value: {} })).toBe(true);
});
