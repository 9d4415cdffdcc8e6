import { z } from 'zod';
import { popularCommunities } from '../../communities/communities.statements';
import { method } from '../declaration/declaration';
import { limit } from '../declaration/parameters';

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
