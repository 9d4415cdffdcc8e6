import { sql, Statement } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { communityTable } from '../communities/community.entity';
import { postContentTable } from './post-content.entity';

/**
 * `$1` limit. Rows: the unpaid posts of each community, and of each author outside communities, by payout, which is in
 * thousandths of HBD; and the payouts of all posts, and of those outside communities.
 */
export const payoutStats = new Statement({
  name: 'payout-stats',
  text: `
    SELECT ca.name AS community, c.title, a.name AS author, g.payout, g.posts, g.authors, g.total, g.blogs
    FROM (
      SELECT r.community_id, CASE WHEN r.community_id IS NULL THEN p.author_id END AS author_id, sum(r.payout) AS payout,
        count(*) AS posts, count(DISTINCT p.author_id) AS authors, sum(sum(r.payout)) OVER () AS total,
        coalesce(sum(sum(r.payout)) FILTER (WHERE r.community_id IS NULL) OVER (), 0) AS blogs
      FROM ranked_post r JOIN post p ON p.id = r.post_id GROUP BY 1, 2
    ) g LEFT JOIN community c ON c.id = g.community_id LEFT JOIN account ca ON ca.id = g.community_id
      LEFT JOIN account a ON a.id = g.author_id
    ORDER BY g.payout DESC, coalesce(ca.name, a.name) LIMIT $1`,
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

/**
 * `$1` the last category of the previous page; `$2` limit. Rows: categories with their unpaid posts and comments, by
 * payout.
 */
export const trendingTags = new Statement({
  name: 'trending-tags',
  text: `
    WITH tags AS (
      SELECT c.category AS name, count(*) FILTER (WHERE r.is_comment) AS comments,
        count(*) FILTER (WHERE NOT r.is_comment) AS posts, sum(r.payout) AS payout
      FROM ranked_post r JOIN post p ON p.id = r.post_id JOIN post_content c ON c.post_id = p.root_id
      WHERE c.category IS NOT NULL GROUP BY c.category
    )
    SELECT name, comments, posts, payout FROM tags
    WHERE $1::text IS NULL OR payout < (SELECT payout FROM tags WHERE name = $1)
      OR payout = (SELECT payout FROM tags WHERE name = $1) AND name COLLATE "C" > $1 COLLATE "C"
    ORDER BY payout DESC, name COLLATE "C" LIMIT $2`,
  parameters: { after: sql.nullable(sql.text), limit: sql.int8 },
  columns: {
    name: sql.notNull(postContentTable.category),
    comments: sql.notNull(sql.int8),
    posts: sql.notNull(sql.int8),
    payout: sql.notNull(sql.numeric),
  },
});
