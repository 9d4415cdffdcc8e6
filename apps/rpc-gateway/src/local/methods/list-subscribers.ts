import { assertionFailed } from '@waggle/contracts';
import { z } from 'zod';
import { communitySubscribers, subscriptionOf } from '../../communities/communities.statements';
import { getCommunityId } from '../../communities/known-communities';
import { roleName } from '../../communities/roles';
import { method } from '../declaration/declaration';
import { community, limit, optionalAccount } from '../declaration/parameters';
import { role } from '../declaration/results';

export const listSubscribers = method({
  name: 'bridge.list_subscribers',
  summary: 'The subscribers of a community, by name',
  required: 1,
  parameters: { community, last: optionalAccount('account name'), limit: limit(100) },
  result: z.array(z.tuple([z.string(), role, z.string().nullable(), z.string()])),
  example: {
    params: { community: 'hive-100001', limit: 10 },
    result: [['alice', 'guest', null, '2025-01-15T12:30:45']],
  },
  needs: ['live-head', 'communities'],
  handle: async ({ community: name, last, limit: maxRows }, { database }) => {
    const id = await getCommunityId(database, name);
    if (last !== '') {
      const found = await subscriptionOf.execute(database, { communityId: id, account: last });
      if (found === 0) throw assertionFailed(`${last} subscription on ${name} does not exist`);
    }
    const rows = await communitySubscribers.query(database, { communityId: id, after: last, limit: maxRows });
    return rows.map((row) => [row.name, roleName(row.role), row.title, row.since]);
  },
});
