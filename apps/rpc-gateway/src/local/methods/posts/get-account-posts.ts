import { z } from 'zod';
import { communityId } from '../../../communities/communities.statements';
import { isCommunityName } from '../../../communities/community-name';
import {
  type AccountListName,
  accountPages,
  accountPostsByTag,
  accountPostsInCommunity,
} from '../../../posts/account-pages';
import { bridgePostSchema, exampleBridgePost } from '../../../posts/bridge-post.schema';
import { readFeed } from '../../../posts/feed';
import { findCursor } from '../../../posts/known-posts';
import { method } from '../../declaration/declaration';
import { account, limit, oneOf, optionalAccount } from '../../declaration/parameters';
import { mutedReasonsFilter, optionalPermlink, tag } from '../../declaration/post-parameters';
import { type Sources } from '../../declaration/sources';
import { bridgePosts, idsOf, postNeeds } from './post-methods';

const sorts = ['blog', 'feed', 'posts', 'comments', 'replies', 'payout'] as const;

const pageParameters = {
  start_author: optionalAccount('start_author'),
  start_permlink: optionalPermlink,
  limit: limit(20),
  observer: optionalAccount('observer'),
  muted_reasons_filter: mutedReasonsFilter,
};

type PageParameters = {
  readonly [Name in keyof typeof pageParameters]: z.output<(typeof pageParameters)[Name]>;
};

/** Resolves the names among the parameters. @throws RpcError if one does not exist */
async function pageOf(name: string, parameters: PageParameters, { accounts, database }: Sources) {
  const accountId = await accounts.getId(name);
  const after = await findCursor(database, parameters.start_author, parameters.start_permlink);
  const observerId = (await accounts.findId(parameters.observer)) ?? null;
  const { limit: maxRows, muted_reasons_filter: reasons } = parameters;
  return { accountId, after, observerId, reasons, limit: maxRows };
}

export const getAccountPosts = method({
  name: 'bridge.get_account_posts',
  summary: 'Posts of an account, on its blog, in its feed, and replies to it',
  required: 2,
  parameters: {
    sort: oneOf('sort', { values: sorts, errorMessage: 'Unsupported sort, valid sorts' }),
    account: account('account'),
    ...pageParameters,
  },
  result: z.array(bridgePostSchema),
  example: { params: { sort: 'blog', account: 'alice', limit: 10 }, result: [exampleBridgePost] },
  needs: postNeeds,
  handle: async ({ sort, account: name, ...rest }, sources) => {
    const page = await pageOf(name, rest, sources);
    if (sort === 'feed') {
      const rows = await readFeed(sources.database, page);
      const blogs = new Map(rows.map((row) => [row.id, row.blogs]));
      return bridgePosts(sources, idsOf(rows), page.observerId, ({ id, author }) => ({
        rebloggedBy: blogs.get(id)?.filter((blog) => blog !== author) ?? [],
      }));
    }
    const list: AccountListName = sort === 'blog' ? 'personal_blog' : sort;
    const ids = idsOf(await accountPages[list].query(sources.database, page));
    return bridgePosts(sources, ids, page.observerId, ({ author }) => ({
      rebloggedBy: sort === 'blog' && author !== name ? [name] : [],
      showsPin: sort === 'replies',
      graysMuted: sort !== 'replies',
    }));
  },
});

export const getAccountPostsByTag = method({
  name: 'bridge.get_account_posts_by_tag',
  summary: 'Posts of an account with a tag, or in a community, newest first',
  required: 2,
  parameters: { account: account('account'), tag, ...pageParameters },
  result: z.array(bridgePostSchema),
  example: { params: { account: 'alice', tag: 'bees' }, result: [exampleBridgePost] },
  needs: postNeeds,
  handle: async ({ account: name, tag: given, ...rest }, sources) => {
    const { database } = sources;
    const page = await pageOf(name, rest, sources);
    const shown = { showsPin: true, graysMuted: true };
    if (!isCommunityName(given))
      return bridgePosts(
        sources,
        idsOf(await accountPostsByTag.query(database, { ...page, tag: given })),
        page.observerId,
        shown,
      );
    const community = await communityId.find(database, { name: given });
    if (community === undefined) return [];
    const rows = await accountPostsInCommunity.query(database, { ...page, communityId: community.id });
    return bridgePosts(sources, idsOf(rows), page.observerId, shown);
  },
});
