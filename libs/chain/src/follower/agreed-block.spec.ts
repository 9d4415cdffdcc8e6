import { agreedId, requireKnown } from './agreed-block';

const idsOf = (...ids: (string | undefined)[]) => ids.map((value, index) => ({ node: `node-${index}`, value }));

it.each([
  ['no node answers', [], 3],
  ['the others do not have the block', [undefined, undefined], 3],
  ['all nodes agree', ['a', 'a'], 2],
  ['the majority has the same', ['a', 'a', 'b'], 3],
])('a block is taken as it was read if %s', (_if, ids, nodeCount) => {
  expect(agreedId(7, 'a', idsOf(...ids), nodeCount)).toBe('a');
});

it('the block of the majority is taken in the place of the one that was read', () => {
  expect(agreedId(7, 'a', idsOf('a', 'b', 'b'), 3)).toBe('b');
});

it.each([
  ['one of two nodes', ['b'], 2],
  ['one of two nodes that answer, of three', ['a', 'b'], 3],
  ['two of four', ['a', 'a', 'b', 'b'], 4],
])('nothing is decided by %s', (_which, ids, nodeCount) => {
  expect(() => agreedId(7, 'a', idsOf(...ids), nodeCount)).toThrow('block 7 is b');
});

it('a block that no node has is not known', () => {
  expect(() => {
    requireKnown(7, idsOf(undefined, undefined));
  }).toThrow('no block 7');
  requireKnown(7, idsOf(undefined, 'a'));
});
