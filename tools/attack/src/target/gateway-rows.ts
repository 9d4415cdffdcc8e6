import { type Target } from './target';

/** A body as long as a transaction allows, of characters that take six bytes each in JSON. */
const bodyLength = 64_000;

export interface Posts {
  /** Replies to one post. Its body is one word. */
  replies: number;
  /** Posts with a long body. */
  posts: number;
}

/** The post with the replies. */
export const thread = { author: 'bench-0', permlink: 'thread' };

/** The tag of the posts with a long body. */
export const longTag = 'long';

/** Inserts posts of one account, `$1` replies and `$2` posts. */
const statements = [
  `INSERT INTO post (id, parent_id, author_id, depth, is_pinned, is_deleted, permlink, root_id, parent_author_id,
     created, children, muted_reasons)
   SELECT n, CASE WHEN n BETWEEN 2 AND $1 + 1 THEN 1 END, 1, CASE WHEN n BETWEEN 2 AND $1 + 1 THEN 1 ELSE 0 END, false,
     false, CASE WHEN n = 1 THEN '${thread.permlink}' ELSE 'post-' || n END, CASE WHEN n <= $1 + 1 THEN 1 ELSE n END,
     CASE WHEN n BETWEEN 2 AND $1 + 1 THEN 1 END, now(), CASE WHEN n = 1 THEN $1 ELSE 0 END, 0
   FROM generate_series(1::bigint, $1::int + $2::int + 1) n`,
  `INSERT INTO post_content SELECT id, created, 0, CASE WHEN depth = 0 THEN '${longTag}' END, 'A title', '{}' FROM post`,
  `INSERT INTO post_text SELECT id, created, CASE WHEN id = 1 THEN 'x' ELSE repeat(chr(1), ${bodyLength}) END, true FROM post`,
  `INSERT INTO post_tag SELECT '${longTag}', id FROM post WHERE depth = 0`,
  `INSERT INTO payout (post_id, author_payout, curator_payout, beneficiary_payout, pending_payout, author_rewards,
     rshares, absolute_rshares, promoted, max_accepted_payout, total_votes, net_votes, percent_hbd, is_paid, allows_votes,
     allows_curation_rewards, total_vote_weight)
   SELECT id, 0, 0, 0, 0, 0, 0, 0, 0, 1000000000, 0, 0, 10000, false, true, true, 0 FROM post`,
];

const filled = new WeakMap<Target, Promise<void>>();

/** Fills the index of the gateway with posts that have the longest possible bodies; once, for several attacks. */
export function fillPosts(target: Target, posts: Posts): Promise<void> {
  const filling = filled.get(target) ?? insert(target, posts);
  filled.set(target, filling);
  return filling;
}

async function insert(target: Target, { replies, posts }: Posts): Promise<void> {
  for (const text of statements) {
    const values = text.includes('$1') ? [replies, posts] : [];
    await target.query('rpc-gateway', text, values);
  }
  await target.query('rpc-gateway', 'ANALYZE', []);
}
