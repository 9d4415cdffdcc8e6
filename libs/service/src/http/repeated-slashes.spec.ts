import { withoutRepeatedSlashes } from './repeated-slashes';

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
