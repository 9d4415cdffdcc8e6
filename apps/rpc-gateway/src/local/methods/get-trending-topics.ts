import { z } from 'zod';
import { trendingTopics } from '../../communities/communities.statements';
import { method } from '../declaration/declaration';
import { ignored, limit } from '../declaration/parameters';

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
