import { median, percentile } from './statistics';

it('computes the median of unsorted values', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([10, 9, 1, 2])).toBe(5.5);
  expect(() => median([])).toThrow(RangeError);
});

it('computes percentiles', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect([0, 0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([1, 50, 99, 100]);
  expect(percentile([7], 0.99)).toBe(7);
});
