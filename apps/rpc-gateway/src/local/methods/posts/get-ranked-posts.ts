import { assertionFailed } from '@waggle/contracts';
import { z } from 'zod';
import { isCommunityName } from '../../../communities/community-name';
import { bridgePostSchema, exampleBridgePost } from '../../../posts/bridge-post.schema';
import { findCursor } from '../../../posts/known-posts';
import {
  pinnedAndRankedIds,
  rankedIds,
  rankedIdsInCommunity,
  rankedIdsWithTag,
  type RankedPage,
} from '../../../posts/ranked-ids';
import { method } from '../../declaration/declaration';
import { limit, oneOf, optionalAccount } from '../../declaration/parameters';
import { mutedReasonsFilter, optionalPermlink, optionalTag } from '../../declaration/post-parameters';
import { type Sources } from '../../declaration/sources';
import { bridgePosts, postNeeds } from './post-methods';

export const getRankedPosts = method({
  name: 'bridge.get_ranked_posts',
  summary:
    'Posts in the order of a ranking: all, of a tag, of a community with its pinned posts first (`trending`, `created`), or of the communities of the observer (`my`)',
  required: 1,
  parameters: {
    sort: oneOf('sort', {
      values: ['trending', 'hot', 'created', 'payout', 'payout_comments', 'muted'],
      errorMessage: 'Unsupported sort, valid sorts',
    }),
    start_author: optionalAccount('start_author'),
    start_permlink: optionalPermlink,
    limit: limit(20),
    tag: optionalTag('tag'),
    observer: optionalAccount('observer'),
    muted_reasons_filter: mutedReasonsFilter,
  },
  result: z.array(bridgePostSchema),
  example: { params: { sort: 'trending', tag: 'bees', limit: 10 }, result: [exampleBridgePost] },
  needs: postNeeds,
  handle: async (
    { sort, start_author: author, start_permlink: permlink, limit: maxRows, tag, observer, ...rest },
    sources,
  ) => {
    if (tag === 'my' && observer === '') throw assertionFailed('invalid account (not specified)', 'account');
    const after = await findCursor(sources.database, author, permlink);
    const observerId = (await sources.accounts.findId(observer)) ?? null;
    const page: RankedPage = {
      ranking: sort,
      after,
      observerId,
      reasons: rest.muted_reasons_filter,
      limit: maxRows,
    };
    const read = async () =>
      bridgePosts(sources, await idsOf(sources.database, tag, page), observerId, { showsPin: true });
    // The first pages that all anonymous callers see.
    if (after !== null || observerId !== null) return read();
    return sources.perBlock.get(['ranked', sort, tag, page.reasons, maxRows].join('/'), read);
  },
});

async function idsOf(database: Sources['database'], tag: string, page: RankedPage): Promise<string[]> {
  if (tag === '' || tag === 'all') return rankedIds(database, 'all', null, page);
  if (tag === 'my') return rankedIds(database, 'subscribed', page.observerId, page);
  if (!isCommunityName(tag)) return rankedIdsWithTag(database, tag, page);
  const hasPins = page.ranking === 'trending' || page.ranking === 'created';
  return hasPins ? pinnedAndRankedIds(database, tag, page) : rankedIdsInCommunity(database, tag, page);
}
