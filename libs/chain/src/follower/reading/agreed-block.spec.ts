import { agreedIdentity, isDisputed } from './agreed-block';

const votesOf = (...identities: (string | undefined)[]) =>
  identities.map((value, index) => ({ node: `node-${index}`, value }));

it.each([
  ['all nodes that respond agree', ['a', 'a'], 2],
  ['the only node that responds has it', ['a'], 3],
  ['the majority has it and another node has another', ['b', 'a', 'a'], 3],
  ['the majority has it and another node does not', ['a', 'a', undefined], 3],
])('a block has this identity if %s', (_if, identities, nodeCount) => {
  expect(agreedIdentity(7, votesOf(...identities), nodeCount)).toBe('a');
});

it.each([
  ['two of two nodes that contradict one another', ['a', 'b'], 2, 'block 7 is a'],
  ['two of three nodes that contradict one another', ['a', 'b'], 3, 'block 7 is a'],
  ['two against two nodes', ['a', 'a', 'b', 'b'], 4, 'block 7 is b'],
  ['one node that has the block and one that does not', ['a', undefined], 2, 'no block 7'],
  ['one node that has the block and three that do not', ['a', undefined, undefined, undefined], 4, 'no block 7'],
  ['nodes that do not have the block', [undefined, undefined], 2, 'no block 7'],
])('nothing is decided by %s', (_which, identities, nodeCount, message) => {
  expect(() => agreedIdentity(7, votesOf(...identities), nodeCount)).toThrow(message);
});

it('a block is disputed if nodes give it different identities', () => {
  expect(isDisputed(votesOf('a', 'b'))).toBe(true);
  expect(isDisputed(votesOf('a', 'a', undefined))).toBe(false);
});
