import { type Queryable, type RowIn, sql, Statement, type ValuesOf } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { followLists } from '../follows/follow-lists';
import { pageParameters } from './account-pages';
import { longReads } from './long-reads';
import { hasReason, isAfter, isMuted, orderOf, type PageOrder } from './page-sql';
import { postTable } from './post.entity';

const isRecent = (entry: string) =>
  `${entry}.created > (SELECT max(block_time) FROM chain_checkpoint) - interval '1 month'`;

/** SQL: whether an entry, of the last month, is on the blog of an account that `$1` follows and `$3` has not muted. */
const isFollowed = (entry: string) => `
  ${isRecent(entry)}
  AND EXISTS (SELECT FROM follow g WHERE g.follower_id = $1 AND g.following_id = ${entry}.account_id AND g.lists & ${followLists.follows} > 0)
  AND NOT ($3::int IS NOT NULL AND ${isMuted('$3', `${entry}.account_id`)})`;

/** The first entry of a post on any of these blogs decides its place. */
const feedOrder: PageOrder = {
  keys: [
    {
      value: 'e.created',
      ofCursor: `(SELECT min(c.created) FROM blog_entry c WHERE c.post_id = $2 AND ${isFollowed('c')})`,
      max: `'infinity'::timestamptz`,
    },
  ],
  id: 'e.post_id',
};

/**
 * SQL of a feed.
 *
 * @param entries SQL of entries, newest first, of the blogs of all followed accounts and perhaps of others. The rest is
 *   checked in this order until the page is full: OFFSET 0 keeps PostgreSQL from joining whole tables.
 */
const feedText = (entries: string) => `
  SELECT e.post_id AS id, ARRAY(
    SELECT n.name FROM blog_entry o JOIN account n ON n.id = o.account_id
    WHERE o.post_id = e.post_id AND ${isFollowed('o')} ORDER BY n.name
  ) AS blogs
  FROM (${entries}) e
  CROSS JOIN LATERAL (
    SELECT FROM post p JOIN account a ON a.id = p.author_id
    WHERE p.id = e.post_id AND NOT p.is_deleted AND NOT ($4::int IS NOT NULL AND ${hasReason('$4')})
      AND ${isFollowed('e')} AND NOT EXISTS (
        SELECT FROM blog_entry o
        WHERE o.post_id = e.post_id AND (o.created, o.account_id) < (e.created, e.account_id) AND ${isFollowed('o')}
      )
    OFFSET 0
  ) shown
  ORDER BY ${orderOf(feedOrder)} LIMIT $5`;

const isOnPage = `${isRecent('e')} AND ${isAfter('$2', feedOrder)}`;
const columns = { id: sql.notNull(postTable.id), blogs: sql.notNull(sql.arrayOf(accountTable.name)) };

/**
 * Has the parameters of `accountPages`. Rows: ids of posts, and the names of the followed accounts on whose blogs
 * each is. Reads all entries of a month on the followed blogs.
 */
const wholeFeed = new Statement({
  name: 'account-posts-feed',
  text: feedText(`
    SELECT e.post_id, e.created, e.account_id FROM follow f JOIN blog_entry e ON e.account_id = f.following_id
    WHERE f.follower_id = $1 AND f.lists & ${followLists.follows} > 0 AND ${isOnPage}
    ORDER BY ${orderOf(feedOrder)} OFFSET 0`),
  parameters: pageParameters,
  columns,
});

/** As above, but reads at most 20,000 entries of all blogs: about a day. */
const recentFeed = new Statement({
  name: 'account-posts-recent-feed',
  text: feedText(`
    SELECT e.post_id, e.created, e.account_id FROM blog_entry e
    WHERE ${isOnPage} ORDER BY ${orderOf(feedOrder)} LIMIT 20000`),
  parameters: pageParameters,
  columns,
});

const followingOf = new Statement({
  name: 'following-of-account',
  text: 'SELECT following FROM account WHERE id = $1',
  parameters: { accountId: accountTable.id },
  columns: { following: accountTable.following },
});

/** Accounts that follow more have posts on nearly every page of all blogs. */
const maxShortFollowing = 2_000;

/**
 * Reads a page of what the accounts that an account follows posted or reblogged within a month, newest first.
 *
 * @throws RpcError if too many long reads wait
 */
export async function readFeed(
  database: Queryable,
  page: ValuesOf<typeof pageParameters>,
): Promise<RowIn<typeof wholeFeed>[]> {
  const { following = 0 } = (await followingOf.find(database, { accountId: page.accountId })) ?? {};
  if (following <= maxShortFollowing) return wholeFeed.query(database, page);
  const recent = await recentFeed.query(database, page);
  return recent.length === page.limit ? recent : longReads.run(() => wholeFeed.query(database, page));
}
