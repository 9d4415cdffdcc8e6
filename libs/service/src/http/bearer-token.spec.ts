import { tokenIn } from './bearer-token';

it.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc', 'abc'],
  ['abc', 'abc'],
  [' abc ', 'abc'],
  ['Bearer', undefined],
  ['Bearer null', undefined],
  ['undefined', undefined],
  ['', undefined],
  [undefined, undefined],
  ['Basic abc', undefined],
])('finds the token in %j', (written, token) => {
  expect(tokenIn(written)).toBe(token);
});
