import { tokenIn, withoutRepeatedSlashes } from './read-request';

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

it.each([
  ['//messages/new', '/messages/new'],
  ['///messages////new//', '/messages/new/'],
  ['//ws?token=a//b&next=//c?d', '/ws?token=a//b&next=//c?d'],
  ['/messages/new', '/messages/new'],
  ['//', '/'],
  ['?a=//b', '?a=//b'],
  ['http://chat.example//ws', 'http://chat.example//ws'],
])('writes %s as %s', (target, written) => {
  expect(withoutRepeatedSlashes(target)).toBe(written);
});
