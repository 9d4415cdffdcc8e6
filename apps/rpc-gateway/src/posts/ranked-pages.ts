import { sql, type SqlType, Statement } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { communityTable } from '../communities/community.entity';
import { hasReason, isAfter, isGray, isMuted, maxNumber, orderOf, type PageOrder } from './page-sql';
import { postContentTable } from './post-content.entity';
import { postTagTable } from './post-tag.entity';
import { postTable } from './post.entity';
import { type RankColumn, rankOfCursor } from './rank-sql';

/** SQL for the posts of a ranking. `r` is the row in `ranked_post`, `p` the post and `a` its author. */
interface Ranking extends PageOrder {
  readonly from: string;
  /** Which posts are in the ranking. */
  readonly where: string;
  /** The column with the community, of the table whose index has the order. */
  readonly community: string;
  /** The condition for a post that is not a comment. */
  readonly isPost: string;
  /** Whether a tag means the category, which comments have too. */
  readonly hasCategories?: true;
  /** Whether posts of authors that the observer has muted are included. */
  readonly includesMuted?: true;
}

const unpaid = 'ranked_post r JOIN post p ON p.id = r.post_id JOIN account a ON a.id = r.author_id';

/** Ranks unpaid posts by a column of `ranked_post`. */
function unpaidBy(column: RankColumn, where: string): Ranking {
  return {
    from: unpaid,
    where,
    community: 'r.community_id',
    isPost: 'NOT r.is_comment',
    keys: [
      {
        value: `r.${column}`,
        ofCursor: rankOfCursor('$2', column),
        max: column === 'trend' || column === 'hot' ? `'infinity'::float8` : maxNumber,
      },
    ],
    id: 'r.post_id',
  };
}

/** SQL: whether a post is paid in 12 to 36 hours, which is a week after its creation. */
const isPaidSoon = `r.created BETWEEN (SELECT max(block_time) FROM chain_checkpoint) - interval '156 hours'
  AND (SELECT max(block_time) FROM chain_checkpoint) - interval '132 hours'`;

const created: Ranking = {
  from: 'post p JOIN account a ON a.id = p.author_id',
  where: 'p.depth = 0 AND NOT p.is_deleted',
  community: 'p.community_id',
  isPost: 'p.depth = 0',
  keys: [],
  id: 'p.id',
};

const rankings = {
  trending: unpaidBy('trend', 'NOT r.is_comment'),
  hot: unpaidBy('hot', 'NOT r.is_comment'),
  created: { ...created, where: `${created.where} AND NOT ${isGray}` },
  payout: { ...unpaidBy('payout', isPaidSoon), hasCategories: true },
  payout_comments: { ...unpaidBy('payout', 'r.is_comment'), hasCategories: true },
  muted: { ...unpaidBy('payout', `${isGray} AND r.payout > 0`), includesMuted: true },
  promoted: unpaidBy('promoted', 'r.promoted > 0'),
  /** Of posts, without comments, whenever they are paid. */
  payout_posts: { ...unpaidBy('payout', 'NOT r.is_comment'), hasCategories: true },
} as const satisfies Readonly<Record<string, Ranking>>;

export type RankingName = keyof typeof rankings;

/** SQL for which posts of a ranking a page lists: posts that belong to `$1`, which has a type. */
const scopes = {
  all: { where: () => '$1::text IS NULL', type: sql.nullable(sql.text) },
  /** Of the communities that an account has subscribed to. */
  subscribed: {
    where: ({ community }: Ranking) => `${community} = s.community_id`,
    type: accountTable.id,
  },
  /** Of a community. */
  community: { where: ({ community }: Ranking) => `${community} = $1`, type: communityTable.id },
  /** Of a community, without the pinned ones. */
  unpinned: {
    where: ({ community }: Ranking) => `${community} = $1 AND NOT p.is_pinned`,
    type: communityTable.id,
  },
  /** With a tag or, in rankings by payout, with a category. */
  tag: {
    where: ({ keys, hasCategories }: Ranking) => {
      if (hasCategories) return 'r.category = $1';
      // A popular tag has many more paid posts, which this bound skips.
      const bound = keys.length === 0 ? '' : 'AND t.post_id >= (SELECT min(u.post_id) FROM ranked_post u)';
      return `p.id IN (SELECT t.post_id FROM post_tag t WHERE t.tag = $1 ${bound})`;
    },
    type: postTagTable.tag,
  },
} as const;

export type ScopeName = keyof typeof scopes;

function pageText(scope: ScopeName, name: RankingName): string {
  const { where } = scopes[scope];
  const ranking: Ranking = rankings[name];
  if (scope === 'subscribed') return selectSubscribed(ranking);
  if (name === 'created' && scope === 'tag') return selectTagged(ranking);
  // Only in communities do authors with a low reputation appear among new posts.
  const isOfCommunity = scope === 'community' || scope === 'unpinned';
  const listed = name === 'created' && isOfCommunity ? created : ranking;
  return select(listed, where(listed), scope);
}

/** New posts are not in a small table like unpaid ones, so their order has to come from the index of the tag. */
function selectTagged(ranking: Ranking): string {
  const from = 'post_tag t JOIN post p ON p.id = t.post_id JOIN account a ON a.id = p.author_id';
  return select({ ...ranking, from, id: 't.post_id' }, 't.tag = $1', 'tag');
}

/** Merges the first rows of each community, which its index returns in their order. */
function selectSubscribed(ranking: Ranking): string {
  const keys = ranking.keys.map(({ value }, index) => `${value} AS key${index}`);
  const values = [`${ranking.id} AS id`, ...keys].join(', ');
  const merged = { id: 'p.id', keys: ranking.keys.map((key, index) => ({ ...key, value: `p.key${index}` })) };
  return `
    SELECT p.id FROM subscription s
    CROSS JOIN LATERAL (${select(ranking, scopes.subscribed.where(ranking), 'subscribed', values)}) p
    WHERE s.account_id = $1 ORDER BY ${orderOf(merged)} LIMIT $5`;
}

/** @param condition which posts of the ranking. @param values the columns of the rows */
function select(ranking: Ranking, condition: string, scope: ScopeName, values = `${ranking.id} AS id`): string {
  // Only rankings of all posts or of a tag mix posts and comments.
  const hasComments = ranking === rankings.payout_comments || scope === 'all' || scope === 'tag';
  const isHidden = ranking.includesMuted
    ? '$3::int IS NULL AND false'
    : `$3::int IS NOT NULL AND ${isMuted('$3', 'p.author_id')}`;
  return `
    SELECT ${values} FROM ${ranking.from}
    WHERE ${ranking.where} AND ${condition} AND (${hasComments} OR ${ranking.isPost}) AND ${isAfter('$2', ranking)}
      AND NOT (${isHidden}) AND NOT ($4::int IS NOT NULL AND ${hasReason('$4')})
    ORDER BY ${orderOf(ranking)} LIMIT $5`;
}

type PerRanking<Value> = Readonly<Record<RankingName, Value>>;

/** Makes a statement for each ranking of each scope. */
function forPages<AStatement>(
  make: (scope: ScopeName, name: RankingName) => AStatement,
): Readonly<Record<ScopeName, PerRanking<AStatement>>> {
  const of = (scope: ScopeName): PerRanking<AStatement> => ({
    trending: make(scope, 'trending'),
    hot: make(scope, 'hot'),
    created: make(scope, 'created'),
    payout: make(scope, 'payout'),
    payout_comments: make(scope, 'payout_comments'),
    muted: make(scope, 'muted'),
    promoted: make(scope, 'promoted'),
    payout_posts: make(scope, 'payout_posts'),
  });
  return {
    all: of('all'),
    subscribed: of('subscribed'),
    community: of('community'),
    unpinned: of('unpinned'),
    tag: of('tag'),
  };
}

/**
 * `$1` what the posts belong to; `$2` id of the last post of the previous page; `$3` observer; `$4` bit set of reasons
 * for which posts are excluded; `$5` limit. Rows: ids of posts.
 */
export const rankedPages = forPages(
  (scope, name) =>
    new Statement({
      name: `posts-${name}-${scope}`,
      text: pageText(scope, name),
      parameters: {
        scope: scopes[scope].type as SqlType<string | number | null, unknown>,
        after: sql.nullable(postTable.id),
        observerId: sql.nullable(accountTable.id),
        reasons: sql.nullable(sql.int4),
        limit: sql.int8,
      },
      columns: { id: postTable.id },
    }),
);

/** Has the parameters of `rankedPages`; `$1` is a community. Rows: ids of pinned posts and comments, newest first. */
export const pinnedPage = new Statement({
  name: 'posts-pinned',
  text: `
    SELECT p.id FROM post p JOIN account a ON a.id = p.author_id
    WHERE p.community_id = $1 AND p.is_pinned AND NOT p.is_deleted AND ${isAfter('$2', created)}
      AND NOT ($3::int IS NOT NULL AND ${isMuted('$3', 'p.author_id')}) AND NOT ($4::int IS NOT NULL AND ${hasReason('$4')})
    ORDER BY p.id DESC LIMIT $5`,
  parameters: {
    communityId: communityTable.id,
    after: sql.nullable(postTable.id),
    observerId: sql.nullable(accountTable.id),
    reasons: sql.nullable(sql.int4),
    limit: sql.int8,
  },
  columns: { id: postTable.id },
});

/** `$1` id of a post. One row if it is pinned. */
export const pinnedPost = new Statement({
  name: 'post-is-pinned',
  text: 'SELECT FROM post WHERE id = $1 AND is_pinned',
  parameters: { id: postTable.id },
  columns: {},
});

/** `$1` tag. One row if a post has it. */
export const tagInUse = new Statement({
  name: 'tag-in-use',
  text: 'SELECT FROM post_tag WHERE tag = $1 LIMIT 1',
  parameters: { tag: postTagTable.tag },
  columns: {},
});

/** `$1` category. One row if a post has it. */
export const categoryInUse = new Statement({
  name: 'category-in-use',
  text: 'SELECT FROM post_content WHERE category = $1 LIMIT 1',
  parameters: { category: sql.notNull(postContentTable.category) },
  columns: {},
});
