import { sql, Statement } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { isMuted } from './page-sql';
import { postTable } from './post.entity';
import { voteTable } from '../votes/vote.entity';

const columns = `v.post_id AS "postId", v.voter_id AS "voterId", voter.name AS voter, coalesce(voter.reputation, 0) AS reputation,
  v.rshares, v.weight, v.percent, v.updated, v.changes`;

/** SQL: whether the observer, if there is one, has not muted the voter. */
const isShown = (observer: string, vote: string) =>
  `NOT (${observer}::int IS NOT NULL AND ${isMuted(observer, `${vote}.voter_id`)})`;

const voteColumns = {
  postId: voteTable.postId,
  voterId: voteTable.voterId,
  voter: accountTable.name,
  reputation: sql.notNull(accountTable.reputation),
  rshares: voteTable.rshares,
  weight: voteTable.weight,
  percent: voteTable.percent,
  updated: voteTable.updated,
  changes: voteTable.changes,
};

/**
 * `$1` ids; `$2` observer; `$3` maximum for each post; `$4` maximum. Rows: the votes on the posts, from older accounts
 * to newer ones, except votes of accounts that the observer has muted.
 */
export const votesOnPosts = new Statement({
  name: 'votes-on-posts',
  text: `
    SELECT ${columns}
    FROM unnest($1::bigint[]) AS p (id)
    CROSS JOIN LATERAL (
      SELECT * FROM vote w WHERE w.post_id = p.id AND ${isShown('$2', 'w')} ORDER BY w.voter_id LIMIT $3
    ) v
    JOIN account voter ON voter.id = v.voter_id
    ORDER BY v.post_id, v.voter_id LIMIT $4`,
  parameters: {
    ids: sql.arrayOf(voteTable.postId),
    observerId: sql.nullable(accountTable.id),
    perPost: sql.int8,
    limit: sql.int8,
  },
  columns: voteColumns,
});

const named = `${columns}, a.name AS author, p.permlink`;
const namedColumns = { ...voteColumns, author: accountTable.name, permlink: postTable.permlink };

/**
 * `$1` id of a post; `$2` id of the first voter; `$3` limit; `$4` observer. Rows: the votes on the post, first those
 * of the older accounts.
 */
export const votesByPost = new Statement({
  name: 'votes-by-post',
  text: `
    SELECT ${named}
    FROM vote v JOIN account voter ON voter.id = v.voter_id JOIN post p ON p.id = v.post_id JOIN account a ON a.id = p.author_id
    WHERE v.post_id = $1 AND v.voter_id >= $2 AND ${isShown('$4', 'v')} ORDER BY v.voter_id LIMIT $3`,
  parameters: {
    postId: voteTable.postId,
    from: voteTable.voterId,
    limit: sql.int8,
    observerId: sql.nullable(accountTable.id),
  },
  columns: namedColumns,
});

/** `$1` id of a voter; `$2` id of the first post; `$3` limit. Rows: the votes of the account, on older posts first. */
export const votesByVoter = new Statement({
  name: 'votes-by-voter',
  text: `
    SELECT ${named}
    FROM vote v JOIN account voter ON voter.id = v.voter_id JOIN post p ON p.id = v.post_id JOIN account a ON a.id = p.author_id
    WHERE v.voter_id = $1 AND v.post_id >= $2 AND NOT p.is_deleted ORDER BY v.post_id LIMIT $3`,
  parameters: { voterId: voteTable.voterId, from: voteTable.postId, limit: sql.int8 },
  columns: namedColumns,
});
