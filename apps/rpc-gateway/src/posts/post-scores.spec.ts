import { postScores } from './post-scores';

// The seconds of this time are multiples of 240,000.
const created = new Date(240_000_000 * 7_000);

it.each([
  ['no votes', 0n, 0],
  ['votes that are too small', 9_999_999n, 0],
  ['votes', 10_000_000n * 1_000n, 3],
  ['downvotes', -10_000_000n * 1_000n, -3],
])('a post with %s has the score of its time and its votes', (_name, rshares, points) => {
  expect(postScores(rshares, created)).toEqual({ trend: 7_000 + points, hot: 168_000 + points });
});

it('posts of the same minute have the same score, in single precision', () => {
  const later = (seconds: number) => postScores(0n, new Date(created.getTime() + seconds * 1_000));
  expect(later(50)).toEqual({ ...later(0), hot: expect.any(Number) });
  expect(later(200).trend).toBeGreaterThan(later(0).trend);
});
