import { type Queryable, type RowIn, sql, Statement, type ValuesOf } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { followLists } from '../follows/follow-lists';
import { pageParameters } from './account-pages';
import { longReads } from './long-reads';
import { hasReason, isAfter, isMuted, orderOf, type PageOrder } from './page-sql';
import { postTable } from './post.entity';

/*
 * SQL with the parameters of `accountPages`. An entry is a post on a blog: its author's, or one of an account that
 * reblogged it.
 */

const isOfLastMonth = (entry: string) =>
  `${entry}.created > (SELECT max(block_time) FROM chain_checkpoint) - interval '1 month'`;

/** Whether an entry of the last month is on the blog of an account that `$1` follows and `$3` has not muted. */
const isInFeed = (entry: string) => `
  ${isOfLastMonth(entry)}
  AND EXISTS (
    SELECT FROM follow g
    WHERE g.follower_id = $1 AND g.following_id = ${entry}.account_id AND g.lists & ${followLists.follows} > 0
  )
  AND NOT ($3::int IS NOT NULL AND ${isMuted('$3', `${entry}.account_id`)})`;

/** A post may have several entries in the feed: the first one decides its place. */
const feedOrder: PageOrder = {
  keys: [
    {
      value: 'e.created',
      ofCursor: `(SELECT min(c.created) FROM blog_entry c WHERE c.post_id = $2 AND ${isInFeed('c')})`,
      max: `'infinity'::timestamptz`,
    },
  ],
  id: 'e.post_id',
};

/** Whether no other entry of the post in the feed precedes the entry `e`. */
const isFirstOfPost = `NOT EXISTS (
  SELECT FROM blog_entry o
  WHERE o.post_id = e.post_id AND (o.created, o.account_id) < (e.created, e.account_id) AND ${isInFeed('o')}
)`;

/** The names of the accounts that have the post of the entry `e` in the feed. */
const blogsOfPost = `ARRAY(
  SELECT n.name FROM blog_entry o JOIN account n ON n.id = o.account_id
  WHERE o.post_id = e.post_id AND ${isInFeed('o')} ORDER BY n.name
)`;

/**
 * The posts of a feed, each once.
 *
 * @param entries entries, newest first, of the blogs of all followed accounts and perhaps of others. The rest is
 *   checked in this order until the page is full: OFFSET 0 keeps PostgreSQL from joining whole tables.
 */
const feedText = (entries: string) => `
  SELECT e.post_id AS id, ${blogsOfPost} AS blogs
  FROM (${entries}) e
  CROSS JOIN LATERAL (
    SELECT FROM post p JOIN account a ON a.id = p.author_id
    WHERE p.id = e.post_id AND NOT p.is_deleted AND NOT ($4::int IS NOT NULL AND ${hasReason('$4')})
      AND ${isInFeed('e')} AND ${isFirstOfPost}
    OFFSET 0
  ) shown
  ORDER BY ${orderOf(feedOrder)} LIMIT $5`;

const isOnPage = `${isOfLastMonth('e')} AND ${isAfter('$2', feedOrder)}`;
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

/** Has the parameters and rows of `wholeFeed`, but reads at most 20,000 entries of all blogs: about a day. */
const recentFeed = new Statement({
  name: 'account-posts-recent-feed',
  text: feedText(`
    SELECT e.post_id, e.created, e.account_id FROM blog_entry e
    WHERE ${isOnPage} ORDER BY ${orderOf(feedOrder)} LIMIT 20000`),
  parameters: pageParameters,
  columns,
});

/** `$1` account. One row: how many accounts it follows. */
const followingOf = new Statement({
  name: 'following-of-account',
  text: 'SELECT following FROM account WHERE id = $1',
  parameters: { accountId: accountTable.id },
  columns: { following: accountTable.following },
});

/** For an account that follows more, a page is first looked for in the recent entries of all blogs. */
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
