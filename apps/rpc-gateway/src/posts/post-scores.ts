/**
 * The time after which a new post outranks an old one with ten times its votes, in seconds:
 * hive/db/sql_scripts of hivemind, `calculate_time_part_of_trending` and `calculate_time_part_of_hot`.
 */
const secondsPerPoint = { trend: 240_000, hot: 10_000 } as const;

/** Votes with fewer rshares do not change the scores. */
const minRshares = 10_000_000;

/**
 * Scores that rankings order posts by: the creation time plus the order of magnitude of the votes. hivemind stores them
 * as `real`, whose precision decides which posts have the same score.
 */
export function postScores(rshares: bigint, created: Date): { trend: number; hot: number } {
  const votes = Math.log10(Math.max(Math.abs(Number(rshares)) / minRshares, 1)) * (rshares > 0n ? 1 : -1);
  const seconds = Math.floor(created.getTime() / 1_000);
  const score = (perPoint: number) => Math.fround(votes + seconds / perPoint);
  return { trend: score(secondsPerPoint.trend), hot: score(secondsPerPoint.hot) };
}
