import { reputationScore } from './reputation';

it.each([
  [undefined, 25],
  [0n, 25],
  [999_999_999n, 25],
  [10_000_000_000n, 34],
  [-10_000_000_000n, 16],
  [1_000_000_000_000_000n, 79],
])('the reputation %s is shown as %d', (raw, score) => {
  expect(reputationScore(raw)).toBe(score);
});
