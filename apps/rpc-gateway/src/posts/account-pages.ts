import { sql, Statement } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { communityTable } from '../communities/community.entity';
import { followLists } from '../follows/follow-lists';
import { blogEntryTable } from '../reblogs/blog-entry.entity';
import { hasReason, isAfter, isMuted, maxNumber, orderOf, type PageOrder } from './page-sql';
import { postTagTable } from './post-tag.entity';
import { postTable } from './post.entity';
import { rankOfCursor } from './rank-sql';

/** A list of posts related to the account `$1`. `p` is a post and `a` its author. */
interface AccountList extends PageOrder {
  readonly from: string;
  readonly where: string;
  /** Whether posts of authors that the observer has muted are left out. */
  readonly excludesMuted?: true;
}

const byId = { keys: [], id: 'p.id' } as const;
const posts = 'post p JOIN account a ON a.id = p.author_id';
const own: AccountList = { ...byId, from: posts, where: 'p.author_id = $1 AND p.depth = 0 AND NOT p.is_deleted' };

const blog: AccountList = {
  from: 'blog_entry e JOIN post p ON p.id = e.post_id AND NOT p.is_deleted JOIN account a ON a.id = p.author_id',
  where: 'e.account_id = $1',
  keys: [
    {
      value: 'e.created',
      ofCursor: '(SELECT c.created FROM blog_entry c WHERE c.account_id = $1 AND c.post_id = $2)',
      max: `'infinity'::timestamptz`,
    },
  ],
  id: 'e.post_id',
};

/** The unpaid posts and comments of the account, which are newer than the oldest unpaid post. */
const unpaidOf = (isKind: string) =>
  `SELECT * FROM post WHERE author_id = $1 AND ${isKind} AND NOT is_deleted AND id >= (SELECT min(post_id) FROM ranked_post)`;

const lists = {
  /** Its posts, and those that it reblogged. */
  blog,
  /** The same without its posts in communities, unless it reblogged them. */
  personal_blog: { ...blog, where: `${blog.where} AND (e.is_reblog OR p.community_id IS NULL)` },
  posts: own,
  comments: { ...own, where: 'p.author_id = $1 AND p.depth > 0 AND NOT p.is_deleted' },
  replies: { ...own, where: 'p.parent_author_id = $1 AND p.depth > 0 AND NOT p.is_deleted', excludesMuted: true },
  payout: {
    from: `(${unpaidOf('depth = 0')} UNION ALL ${unpaidOf('depth > 0')}) p
      JOIN ranked_post r ON r.post_id = p.id JOIN account a ON a.id = p.author_id`,
    where: 'true',
    // Of equal payouts the deepest comments come first.
    keys: [
      { value: 'r.payout', ofCursor: rankOfCursor('$2', 'payout'), max: maxNumber },
      { value: 'p.depth', ofCursor: '(SELECT c.depth FROM post c WHERE c.id = $2)', max: '32767::smallint' },
    ],
    id: 'r.post_id',
  },
} as const satisfies Readonly<Record<string, AccountList>>;

export type AccountListName = keyof typeof lists;

const parameters = {
  accountId: accountTable.id,
  after: sql.nullable(postTable.id),
  observerId: sql.nullable(accountTable.id),
  reasons: sql.nullable(sql.int4),
  limit: sql.int8,
};

function pageText({ from, where, excludesMuted, ...order }: AccountList, condition = 'true'): string {
  const isHidden = excludesMuted
    ? `$3::int IS NOT NULL AND ${isMuted('$3', 'p.author_id')}`
    : '$3::int IS NULL AND false';
  return `
    SELECT p.id FROM ${from}
    WHERE ${where} AND ${condition} AND ${isAfter('$2', order)}
      AND NOT (${isHidden}) AND NOT ($4::int IS NOT NULL AND ${hasReason('$4')})
    ORDER BY ${orderOf(order)} LIMIT $5`;
}

/** Makes a statement for each list. */
function forLists<AStatement>(make: (name: AccountListName) => AStatement): Record<AccountListName, AStatement> {
  return {
    blog: make('blog'),
    personal_blog: make('personal_blog'),
    posts: make('posts'),
    comments: make('comments'),
    replies: make('replies'),
    payout: make('payout'),
  };
}

/**
 * `$1` account; `$2` id of the last post of the previous page; `$3` observer; `$4` bit set of reasons for which posts
 * are excluded; `$5` limit. Rows: ids of posts.
 */
export const accountPages = forLists(
  (name) =>
    new Statement({
      name: `account-posts-${name}`,
      text: pageText(lists[name]),
      parameters,
      columns: { id: sql.notNull(postTable.id) },
    }),
);

/** As above; `$6` tag. */
export const accountPostsByTag = new Statement({
  name: 'account-posts-by-tag',
  text: pageText(own, 'EXISTS (SELECT FROM post_tag t WHERE t.tag = $6 AND t.post_id = p.id)'),
  parameters: { ...parameters, tag: postTagTable.tag },
  columns: { id: postTable.id },
});

/** As above; `$6` community. */
export const accountPostsInCommunity = new Statement({
  name: 'account-posts-in-community',
  text: pageText(own, 'p.community_id = $6'),
  parameters: { ...parameters, communityId: communityTable.id },
  columns: { id: postTable.id },
});

/** SQL: whether an entry, of the last month, is on the blog of an account that `$1` follows and `$3` has not muted. */
const isFollowed = (entry: string) => `
  ${entry}.created > (SELECT max(block_time) FROM chain_checkpoint) - interval '1 month'
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
 * As above, for the blogs of the accounts that the account follows. Rows also have the names of these accounts on whose
 * blogs the post is. Of each followed account only a page is read, since one may follow thousands.
 */
export const feedPage = new Statement({
  name: 'account-posts-feed',
  text: `
    SELECT e.post_id AS id, ARRAY(
      SELECT n.name FROM blog_entry o JOIN account n ON n.id = o.account_id
      WHERE o.post_id = e.post_id AND ${isFollowed('o')} ORDER BY n.name
    ) AS blogs
    FROM follow f CROSS JOIN LATERAL (
      SELECT e.post_id, e.created
      FROM blog_entry e JOIN post p ON p.id = e.post_id AND NOT p.is_deleted JOIN account a ON a.id = p.author_id
      WHERE e.account_id = f.following_id AND ${isAfter('$2', feedOrder)} AND ${isFollowed('e')}
        AND NOT ($4::int IS NOT NULL AND ${hasReason('$4')})
        AND NOT EXISTS (
          SELECT FROM blog_entry o
          WHERE o.post_id = e.post_id AND (o.created, o.account_id) < (e.created, e.account_id) AND ${isFollowed('o')}
        )
      ORDER BY ${orderOf(feedOrder)} LIMIT $5
    ) e
    WHERE f.follower_id = $1 AND f.lists & ${followLists.follows} > 0
    ORDER BY ${orderOf(feedOrder)} LIMIT $5`,
  parameters,
  columns: { id: postTable.id, blogs: sql.notNull(sql.arrayOf(accountTable.name)) },
});

/**
 * `$1` account; `$2` number of the first entry, or -1 for the newest; `$3` limit. Rows: entries of the blog, newest
 * first. They are numbered from 0, the oldest.
 */
export const blogEntries = new Statement({
  name: 'blog-entries',
  text: `
    WITH size AS (SELECT count(*) - 1 AS newest FROM blog_entry WHERE account_id = $1),
    bounds AS (
      SELECT newest, CASE WHEN $2 < 0 THEN newest ELSE least($2, newest) END AS top,
        greatest(0, CASE WHEN $2 < 0 THEN newest ELSE $2 END - $3 + 1) AS bottom
      FROM size
    )
    SELECT p.id, p.author_id AS "authorId", a.name AS author, p.permlink, e.created, e.number AS "entryId"
    FROM (
      SELECT post_id, created, (SELECT top FROM bounds) + 1 - row_number() OVER (ORDER BY created DESC, post_id DESC) AS number
      FROM (
        SELECT post_id, created FROM blog_entry WHERE account_id = $1 ORDER BY created DESC, post_id DESC
        OFFSET (SELECT newest - top FROM bounds) LIMIT (SELECT greatest(0, top - bottom + 1) FROM bounds)
      ) page
    ) e JOIN post p ON p.id = e.post_id JOIN account a ON a.id = p.author_id
    ORDER BY e.number DESC`,
  parameters: { accountId: blogEntryTable.accountId, from: sql.int4, limit: sql.int8 },
  columns: {
    id: postTable.id,
    authorId: postTable.authorId,
    author: accountTable.name,
    permlink: postTable.permlink,
    created: blogEntryTable.created,
    entryId: sql.notNull(sql.int8),
  },
});
