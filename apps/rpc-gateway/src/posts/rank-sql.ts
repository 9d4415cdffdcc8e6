/** Votes with fewer rshares do not change the scores. */
const minRshares = 10_000_000;

/**
 * SQL: the creation time of the post `p` plus the order of magnitude of its votes. Comments have no score. hivemind
 * stores scores as `real`, whose precision decides which posts have the same one.
 *
 * @param secondsPerPoint the time after which a new post outranks an old one with ten times its votes
 */
function score(secondsPerPoint: number): string {
  return `(CASE WHEN p.depth > 0 THEN 0 ELSE
    sign(y.rshares) * log(greatest(abs(y.rshares) / ${minRshares}::float8, 1)) + extract(epoch FROM p.created)::float8 / ${secondsPerPoint}
  END)::real`;
}

/**
 * SQL: the values that rankings order posts by, of the post `p` with the payout `y`. The times are those of
 * `calculate_time_part_of_trending` and `calculate_time_part_of_hot` of hivemind (hive/db/sql_scripts).
 */
export const rankOf = {
  payout: 'y.author_payout + y.curator_payout + y.beneficiary_payout + y.pending_payout',
  promoted: 'y.promoted',
  trend: score(240_000),
  hot: score(10_000),
} as const;

export type RankColumn = keyof typeof rankOf;

/**
 * SQL: such a value of the post where a page begins. It does not come from `ranked_post`, because the post may have
 * been paid since the page before.
 */
export function rankOfCursor(cursor: string, column: RankColumn): string {
  return `(SELECT ${rankOf[column]} FROM payout y JOIN post p ON p.id = y.post_id WHERE y.post_id = ${cursor})`;
}
