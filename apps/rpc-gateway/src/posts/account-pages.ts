import { sql, Statement } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { communityTable } from '../communities/community.entity';
import { hasReason, isAfter, isMuted, maxNumber, orderOf, type PageOrder } from './page-sql';
import { postTagTable } from './post-tag.entity';
import { postTable } from './post.entity';
import { rankOfCursor } from './rank-sql';

/** SQL for a list of posts that belongs to the account `$1`. `p` is a post and `a` its author. */
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

const lists = {
  /** Its posts, and those that it reblogged. */
  blog,
  /** The same without its posts in communities, unless it reblogged them. */
  personal_blog: { ...blog, where: `${blog.where} AND (e.is_reblog OR p.community_id IS NULL)` },
  /** The posts that it wrote. */
  posts: own,
  comments: { ...own, where: 'p.author_id = $1 AND p.depth > 0 AND NOT p.is_deleted' },
  /** The comments of others on what it wrote. */
  replies: { ...own, where: 'p.parent_author_id = $1 AND p.depth > 0 AND NOT p.is_deleted', excludesMuted: true },
  /** Its unpaid posts and comments, by payout. */
  payout: {
    from: 'ranked_post r JOIN post p ON p.id = r.post_id JOIN account a ON a.id = p.author_id',
    where: 'r.author_id = $1',
    // Of equal payouts the deepest comments come first.
    keys: [
      { value: 'r.payout', ofCursor: rankOfCursor('$2', 'payout'), max: maxNumber },
      { value: 'p.depth', ofCursor: '(SELECT c.depth FROM post c WHERE c.id = $2)', max: '32767::smallint' },
    ],
    id: 'r.post_id',
  },
} as const satisfies Readonly<Record<string, AccountList>>;

export type AccountListName = keyof typeof lists;

export const pageParameters = {
  accountId: accountTable.id,
  after: sql.nullable(postTable.id),
  observerId: sql.nullable(accountTable.id),
  reasons: sql.nullable(sql.int4),
  limit: sql.int8,
};

function pageText({ from, where, excludesMuted, ...order }: AccountList, condition = 'true'): string {
  // Without mutes the condition is false, but names the parameter, which every list has.
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
      parameters: pageParameters,
      columns: { id: sql.notNull(postTable.id) },
    }),
);

/** Has the parameters and rows of `accountPages`, and `$6`: a tag of the posts. */
export const accountPostsByTag = new Statement({
  name: 'account-posts-by-tag',
  text: pageText(own, 'EXISTS (SELECT FROM post_tag t WHERE t.tag = $6 AND t.post_id = p.id)'),
  parameters: { ...pageParameters, tag: postTagTable.tag },
  columns: { id: postTable.id },
});

/** Has the parameters and rows of `accountPages`, and `$6`: the community of the posts. */
export const accountPostsInCommunity = new Statement({
  name: 'account-posts-in-community',
  text: pageText(own, 'p.community_id = $6'),
  parameters: { ...pageParameters, communityId: communityTable.id },
  columns: { id: postTable.id },
});
