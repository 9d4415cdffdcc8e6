import { z } from 'zod';
import { communityLists, popularCommunities, trendingTopics } from '../../communities/communities.statements';
import { findContexts, getCommunityId } from '../../communities/known-communities';
import { method } from '../declaration/declaration';
import { ignored, limit, oneOf, optionalAccount, optionalCommunity, optionalWords } from '../declaration/parameters';
import { communityFields, exampleCommunity } from '../declaration/results';

export const listCommunities = method({
  name: 'bridge.list_communities',
  summary: 'Communities by rank, age or number of subscribers, optionally those that contain certain words',
  required: 0,
  parameters: {
    last: optionalCommunity,
    limit: limit(100),
    query: optionalWords('query'),
    sort: oneOf('sort', {
      values: ['rank', 'new', 'subs'],
      defaultValue: 'rank',
      errorMessage: 'Unsupported sort, valid sorts',
    }),
    observer: optionalAccount('account name'),
  },
  result: z.array(z.strictObject({ ...communityFields, admins: z.array(z.string()).optional() })),
  example: { params: { sort: 'rank', limit: 10 }, result: [exampleCommunity] },
  needs: ['live-head', 'communities', 'posts'],
  handle: async ({ last, limit: maxRows, query, sort, observer }, { database, accounts }) => {
    const observerId = await accounts.findId(observer);
    const lastId = last === '' ? null : await getCommunityId(database, last);
    const rows = await communityLists[sort].query(database, { lastId, words: query ?? null, limit: maxRows });
    const contexts = await findContexts(
      database,
      observerId,
      rows.map(({ id }) => id),
    );
    return rows.map(({ admins, ...row }) => ({
      ...row,
      context: contexts.get(row.id) ?? {},
      ...(admins.length > 0 && { admins }),
    }));
  },
});

export const getTrendingTopics = method({
  name: 'bridge.get_trending_topics',
  summary: 'Communities by rank: name and title, or the name again if there is no title',
  required: 0,
  parameters: { limit: limit(25, 10), observer: ignored },
  result: z.array(z.tuple([z.string(), z.string()])),
  example: { params: { limit: 10 }, result: [['hive-100001', 'Bees']] },
  needs: ['live-head', 'communities', 'posts'],
  handle: async ({ limit: maxTopics }, { database }) => {
    const rows = await trendingTopics.query(database, { limit: maxTopics });
    return rows.map(({ name, title }) => [name, title]);
  },
});

export const listPopCommunities = method({
  name: 'bridge.list_pop_communities',
  summary: 'Communities by number of new subscribers in the last month: name and title',
  required: 0,
  parameters: { limit: limit(25) },
  result: z.array(z.tuple([z.string(), z.string()])),
  example: { params: { limit: 10 }, result: [['hive-100001', 'Bees']] },
  needs: ['live-head', 'communities'],
  handle: async ({ limit: maxCommunities }, { database }) => {
    const rows = await popularCommunities.query(database, { limit: maxCommunities });
    return rows.map(({ name, title }) => [name, title]);
  },
});
