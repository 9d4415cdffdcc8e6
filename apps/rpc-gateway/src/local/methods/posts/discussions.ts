import { z } from 'zod';
import { condenserPostSchema, exampleCondenserPost } from '../../../posts/condenser-post.schema';
import { findCursor } from '../../../posts/known-posts';
import { rankedIds, rankedIdsInCommunity, rankedIdsWithTag, type RankedPage } from '../../../posts/ranked-ids';
import { type RankingName } from '../../../posts/ranked-pages';
import { type Declaration, methods } from '../../declaration/declaration';
import { limit, optionalAccount } from '../../declaration/parameters';
import { filterTags, optionalPermlink, optionalTag, truncateBody } from '../../declaration/post-parameters';
import { type Sources } from '../../declaration/sources';
import { condenserPosts, postNeeds } from './post-methods';

/** Declares the methods that list posts in the order of a ranking. @param query without its namespace */
function discussions(query: string, ranking: RankingName, summary: string): readonly Declaration[] {
  return methods({
    names: [`condenser_api.${query}`, `tags_api.${query}`],
    summary,
    required: 0,
    parameters: {
      start_author: optionalAccount('account name'),
      start_permlink: optionalPermlink,
      limit: limit(20),
      tag: optionalTag('tag'),
      truncate_body: truncateBody,
      filter_tags: filterTags,
      observer: optionalAccount('observer'),
    },
    result: z.array(condenserPostSchema),
    example: { params: { tag: 'bees', limit: 10 }, result: [exampleCondenserPost] },
    needs: postNeeds,
    handle: async ({ start_author: author, start_permlink: permlink, tag, observer, ...rest }, sources) => {
      const observerId = (await sources.accounts.findId(observer)) ?? null;
      const after = await findCursor(sources.database, author, permlink);
      const page: RankedPage = { ranking, after, observerId, reasons: null, limit: rest.limit };
      const ids = await idsOf(sources.database, tag, page);
      return condenserPosts(sources, ids, observerId, { truncateBody: rest.truncate_body });
    },
  });
}

async function idsOf(database: Sources['database'], tag: string, page: RankedPage): Promise<string[]> {
  if (tag === '') return rankedIds(database, 'all', null, page);
  const isCommunity = tag.startsWith('hive-') && !page.ranking.startsWith('payout');
  return isCommunity ? rankedIdsInCommunity(database, tag, page) : rankedIdsWithTag(database, tag, page);
}

export const rankedDiscussions = [
  ...discussions('get_discussions_by_trending', 'trending', 'Posts by their trending score'),
  ...discussions('get_discussions_by_hot', 'hot', 'Posts by their hot score'),
  ...discussions('get_discussions_by_created', 'created', 'Posts, newest first'),
  ...discussions('get_discussions_by_promoted', 'promoted', 'Unpaid posts by what was paid to promote them'),
  ...discussions('get_post_discussions_by_payout', 'payout_posts', 'Unpaid posts by payout'),
  ...discussions('get_comment_discussions_by_payout', 'payout_comments', 'Unpaid comments by payout'),
];
