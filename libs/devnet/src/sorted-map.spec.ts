import { SortedMap } from './sorted-map';

const numbers = Array.from({ length: 300 }, (_, i) => (i * 7919) % 1000);
const keyOf = (number: number) => String(number).padStart(4, '0');
const all = numbers.reduce((map, number) => map.with(keyOf(number), number), SortedMap.empty<number>());
const inOrder = [...new Set(numbers)].sort((a, b) => a - b);

it('has what was set, in the order of the keys', () => {
  expect([...all.valuesFrom()]).toEqual(inOrder);
  expect([...all.valuesFrom('0500')]).toEqual(inOrder.filter((number) => number >= 500));
  expect(all.get(keyOf(7919 % 1000))).toBe(7919 % 1000);
  expect(all.get('nothing')).toBeUndefined();
});

it('replaces, and removes', () => {
  expect(all.with('0000', 5).get('0000')).toBe(5);
  const odd = numbers.filter((number) => number % 2 === 0).reduce((map, even) => map.without(keyOf(even)), all);
  expect([...odd.valuesFrom()]).toEqual(inOrder.filter((number) => number % 2 === 1));
  expect([...all.without('nothing').valuesFrom()]).toEqual(inOrder);
});

it('stays as it was when another is made of it', () => {
  all
    .with('0000', -1)
    .with('zzzz', 1)
    .without(keyOf(inOrder[1] ?? 0));
  expect([...all.valuesFrom()]).toEqual(inOrder);
});
