import { Backoff } from './backoff';

const bounds = { firstMs: 100, maxMs: 1_000 };

it('doubles the bound of its pauses up to the maximum', () => {
  const backoff = new Backoff(bounds, () => 1);
  expect(Array.from({ length: 6 }, () => backoff.nextMs())).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});

it('returns pauses from zero to the bound', () => {
  const chances = [0, 0.5, 0.25];
  const backoff = new Backoff(bounds, () => chances.shift() ?? 1);
  expect([backoff.nextMs(), backoff.nextMs(), backoff.nextMs()]).toEqual([0, 100, 100]);
});

it('starts again after a reset, and never exceeds the maximum', () => {
  const backoff = new Backoff(bounds, () => 1);
  for (let failures = 0; failures < 5_000; failures += 1) backoff.nextMs();
  expect(backoff.nextMs()).toBe(1_000);
  backoff.reset();
  expect(backoff.nextMs()).toBe(100);
});
