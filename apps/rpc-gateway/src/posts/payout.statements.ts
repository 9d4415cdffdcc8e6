import { sql, Statement } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { communityTable } from '../communities/community.entity';
import { rankedPostTable } from './ranked-post.entity';

/**
 * `$1` limit. Rows: the unpaid posts of each community, and of each author outside communities, by payout, which is in
 * thousandths of HBD; and the payouts of all posts, and of those outside communities. Names are looked up one by one:
 * a join would read all accounts.
 */
export const payoutStats = new Statement({
  name: 'payout-stats',
  text: `
    SELECT named.* FROM (
      SELECT (SELECT name FROM account WHERE id = g.community_id) AS community,
        (SELECT title FROM community WHERE id = g.community_id) AS title,
        (SELECT name FROM account WHERE id = g.author_id) AS author, g.payout, g.posts, g.authors, g.total, g.blogs
      FROM (
        SELECT r.community_id, CASE WHEN r.community_id IS NULL THEN r.author_id END AS author_id, sum(r.payout) AS payout,
          count(*) AS posts, count(DISTINCT r.author_id) AS authors, sum(sum(r.payout)) OVER () AS total,
          coalesce(sum(sum(r.payout)) FILTER (WHERE r.community_id IS NULL) OVER (), 0) AS blogs
        FROM ranked_post r GROUP BY 1, 2
      ) g
    ) named
    ORDER BY payout DESC, coalesce(community, author) LIMIT $1`,
  parameters: { limit: sql.int8 },
  columns: {
    community: sql.nullable(accountTable.name),
    title: sql.nullable(communityTable.title),
    author: sql.nullable(accountTable.name),
    payout: sql.notNull(sql.numeric),
    posts: sql.notNull(sql.int8),
    authors: sql.notNull(sql.int8),
    total: sql.notNull(sql.numeric),
    blogs: sql.notNull(sql.numeric),
  },
});

/** Rows: categories with their unpaid posts and comments, by payout. */
export const trendingTags = new Statement({
  name: 'trending-tags',
  text: `
    SELECT r.category AS name, count(*) FILTER (WHERE r.is_comment) AS comments,
      count(*) FILTER (WHERE NOT r.is_comment) AS posts, sum(r.payout) AS payout
    FROM ranked_post r WHERE r.category IS NOT NULL GROUP BY r.category ORDER BY payout DESC, r.category COLLATE "C"`,
  parameters: {},
  columns: {
    name: sql.notNull(rankedPostTable.category),
    comments: sql.notNull(sql.int8),
    posts: sql.notNull(sql.int8),
    payout: sql.notNull(sql.numeric),
  },
});
