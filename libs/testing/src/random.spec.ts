import { Random } from './random';

const take = (seed: number, count = 1_000) => {
  const random = new Random(seed);
  return Array.from({ length: count }, () => random.next());
};

it('returns the same numbers for the same seed, and different ones for others', () => {
  expect(take(5)).toEqual(take(5));
  expect(take(5)).not.toEqual(take(6));
});

it('is uniformly distributed between 0 and 1', () => {
  const numbers = take(1, 10_000);
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const share = numbers.filter((number) => Math.floor(number * 10) === tenth).length / numbers.length;
    expect(share).toBeCloseTo(0.1, 1);
  }
});

it('picks every item, and samples each once', () => {
  const random = new Random(1);
  const letters = ['a', 'b', 'c'];
  expect(new Set(Array.from({ length: 50 }, () => random.pick(letters)))).toEqual(new Set(letters));
  expect(random.sample(letters, 2)).toHaveLength(2);
  expect(random.sample(letters, 9).toSorted()).toEqual(letters);
  expect(() => random.pick([])).toThrow(RangeError);
});
