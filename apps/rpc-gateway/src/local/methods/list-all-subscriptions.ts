import { z } from 'zod';
import { accountSubscriptions } from '../../communities/communities.statements';
import { roleName } from '../../communities/roles';
import { method } from '../declaration';
import { account } from '../parameters';
import { role } from '../results';

export const listAllSubscriptions = method({
  name: 'bridge.list_all_subscriptions',
  summary: 'What an account is subscribed to: name and title of the community, its role and its title there',
  required: 1,
  parameters: { account: account('account') },
  result: z.array(z.tuple([z.string(), z.string(), role, z.string()])),
  example: { params: { account: 'alice' }, result: [['hive-100001', 'Bees', 'guest', '']] },
  answer: async ({ account: name }, { database, accounts }) => {
    const rows = await accountSubscriptions.query(database, { accountId: await accounts.getId(name) });
    return rows.map((row) => [row.name, row.title, roleName(row.role), row.ownTitle]);
  },
});
