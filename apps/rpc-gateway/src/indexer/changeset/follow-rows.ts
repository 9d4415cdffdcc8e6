import { sql, Statement } from '@waggle/service';
import { FollowEntity } from '../../follows/follow.entity';
import { followLists } from '../../follows/follow-lists';
import { Table } from './table';

/** Reads and writes rows of `follow`, which is `t` in its statements. */
export const followRows = new Table(FollowEntity);
const accountIds = sql.arrayOf(followRows.types.followerId);

/** `$1` accounts. Rows of the accounts that mute them. "Ignores" is the chain's word for "mutes". */
export const findIgnoring = followRows.select(
  'ignoring',
  `WHERE t.following_id = ANY ($1::int[]) AND t.lists & ${followLists.ignores} > 0`,
  { followingIds: accountIds },
);

/**
 * The maximum number of followed mute lists that are read for a recipient. If it follows as many, the lists whose
 * owners ignore a source are read too (`Follows.readMuteLists`). Only an attacker follows more.
 */
export const maxReadMuteLists = 1_000;

/** `$1` recipients. Rows: the mute lists that each follows, at most `maxReadMuteLists` of them. */
export const findFollowedMuteLists = new Statement({
  name: 'follow-mute-lists',
  text: `
    SELECT f.follower_id AS "followerId", f.following_id AS "followingId", f.lists
    FROM unnest($1::int[]) a (id) CROSS JOIN LATERAL (
      SELECT * FROM follow WHERE follower_id = a.id AND lists & ${followLists.followsMuted} > 0 LIMIT ${maxReadMuteLists}
    ) f`,
  parameters: { ids: accountIds },
  columns: followRows.types,
});

const allLists = Object.values(followLists).reduce((all, list) => all | list, 0);

/**
 * Rows of `follow` that one statement resets at most. 500,000 took half a minute, which is half of the timeout of a
 * statement.
 */
export const maxResetRows = 50_000;

/**
 * Takes accounts off lists, and corrects the counts of followers. `$1` followers; `$2` the lists that each resets; `$3`
 * followers and `$4` accounts of rows to leave unchanged, because the changeset has read them. One row: how many rows
 * were reset, at most `maxResetRows`.
 */
export const resetUnreadRows = new Statement({
  name: 'follow-reset',
  text: `
    WITH reset AS MATERIALIZED (
      SELECT f.follower_id, f.following_id, f.lists & ~r.lists AS rest, f.lists & r.lists & ${followLists.follows} > 0 AS is_unfollowed
      FROM unnest($1::int[], $2::smallint[]) r (follower_id, lists)
      -- One index scan for each combination of lists. Without OFFSET 0 PostgreSQL joins in another order, and reads all lists of a follower.
      JOIN generate_series(1, ${allLists}) combination (lists) ON combination.lists & r.lists > 0
      CROSS JOIN LATERAL (
        SELECT * FROM follow WHERE follower_id = r.follower_id AND lists = combination.lists OFFSET 0
      ) f
      WHERE (f.follower_id, f.following_id) NOT IN (SELECT * FROM unnest($3::int[], $4::int[]))
      LIMIT ${maxResetRows}
    ), emptied AS (
      DELETE FROM follow f USING reset r
      WHERE f.follower_id = r.follower_id AND f.following_id = r.following_id AND r.rest = 0
    ), shortened AS (
      UPDATE follow f SET lists = r.rest FROM reset r
      WHERE f.follower_id = r.follower_id AND f.following_id = r.following_id AND r.rest > 0
    ), counted AS (
      UPDATE account a SET followers = a.followers - lost.followers, following = a.following - lost.following
      FROM (
        SELECT id, sum(followers)::int AS followers, sum(following)::int AS following FROM (
          SELECT following_id AS id, count(*) AS followers, 0 AS following FROM reset WHERE is_unfollowed GROUP BY following_id
          UNION ALL
          SELECT follower_id, 0, count(*) FROM reset WHERE is_unfollowed GROUP BY follower_id
        ) counts GROUP BY id
      ) lost WHERE a.id = lost.id
    )
    SELECT count(*)::int AS rows FROM reset`,
  parameters: {
    followerIds: accountIds,
    lists: sql.arrayOf(followRows.types.lists),
    readFollowerIds: accountIds,
    readFollowingIds: accountIds,
  },
  columns: { rows: sql.notNull(sql.int4) },
});
