import { followCounts } from '../../follows/follows.statements';
import { methods } from '../declaration';
import { account } from '../parameters';

export const getFollowCount = methods({
  names: ['condenser_api.get_follow_count', 'follow_api.get_follow_count'],
  required: 1,
  parameters: { account: account('account') },
  answer: async ({ account: name }, { database, accounts }) => {
    const { rows } = await database.query<{ followers: number; following: number }>({
      ...followCounts,
      values: [name],
    });
    if (rows.length === 0) await accounts.getUnmet(name);
    const { followers, following } = rows[0] ?? { followers: 0, following: 0 };
    return { account: name, following_count: following, follower_count: followers };
  },
});
