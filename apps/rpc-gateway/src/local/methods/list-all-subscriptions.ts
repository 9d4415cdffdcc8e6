import { accountSubscriptions } from '../../communities/communities.statements';
import { roleName } from '../../communities/roles';
import { method } from '../declaration';
import { account } from '../parameters';

interface SubscriptionRow {
  name: string;
  title: string;
  role: number;
  ownTitle: string;
}

export const listAllSubscriptions = method({
  name: 'bridge.list_all_subscriptions',
  required: 1,
  parameters: { account: account('account') },
  answer: async ({ account: name }, { database, accounts }) => {
    const values = [await accounts.getId(name)];
    const { rows } = await database.query<SubscriptionRow>({ ...accountSubscriptions, values });
    return rows.map((row) => [row.name, row.title, roleName(row.role), row.ownTitle]);
  },
});
