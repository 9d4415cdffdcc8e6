import { z } from 'zod';
import { accountSubscriptions } from '../../communities/communities.statements';
import { roleName } from '../../communities/roles';
import { method } from '../declaration/declaration';
import { account } from '../declaration/parameters';
import { role } from '../declaration/results';

export const listAllSubscriptions = method({
  name: 'bridge.list_all_subscriptions',
  summary: 'The subscriptions of an account: name and title of the community, role and title of the account there',
  required: 1,
  parameters: { account: account('account') },
  result: z.array(z.tuple([z.string(), z.string(), role, z.string()])),
  example: { params: { account: 'alice' }, result: [['hive-100001', 'Bees', 'guest', '']] },
  needs: ['live-head', 'communities'],
  handle: async ({ account: name }, { database, accounts }) => {
    const rows = await accountSubscriptions.query(database, { accountId: await accounts.getId(name) });
    return rows.map((row) => [row.name, row.title, roleName(row.role), row.ownTitle]);
  },
});
