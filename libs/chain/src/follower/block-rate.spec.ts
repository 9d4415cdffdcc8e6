import { BlockRate } from './block-rate';

let nowMs: number;
let rate: BlockRate;

beforeEach(() => {
  nowMs = 0;
  rate = new BlockRate(() => nowMs);
});

it('covers the time since the start, and later the last half minute', () => {
  for (let second = 0; second < 10; second += 1) {
    nowMs += 1_000;
    rate.add(500);
  }
  expect(rate.perSecond).toBe(500);
  for (let second = 0; second < 60; second += 1) {
    nowMs += 1_000;
    rate.add(100);
  }
  expect(rate.perSecond).toBe(100);
});

it('falls to zero when no more blocks are applied', () => {
  nowMs += 1_000;
  rate.add(500);
  nowMs += 40_000;
  expect(rate.perSecond).toBe(0);
});

it('does not count the time before a new start', () => {
  nowMs += 60_000;
  rate.start();
  nowMs += 1_000;
  rate.add(500);
  expect(rate.perSecond).toBe(500);
});
