import { Backoff } from './backoff';

const pausesOf = (backoff: Backoff, count: number) => Array.from({ length: count }, () => backoff.nextMs());

it('doubles up to the maximum, and starts again after a reset', () => {
  const backoff = new Backoff(100, 1_000, () => 1);
  expect(pausesOf(backoff, 6)).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  backoff.reset();
  expect(backoff.nextMs()).toBe(100);
});

it('is reduced randomly by at most half', () => {
  expect(pausesOf(new Backoff(100, 1_000, () => 0), 5)).toEqual([50, 100, 200, 400, 500]);
});

it('stays finite after many errors', () => {
  expect(pausesOf(new Backoff(0, 1_000, () => 1), 2_000).at(-1)).toBe(0);
  expect(pausesOf(new Backoff(1, 1_000, () => 1), 2_000).at(-1)).toBe(1_000);
});
