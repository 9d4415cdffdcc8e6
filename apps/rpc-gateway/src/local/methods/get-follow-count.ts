import { z } from 'zod';
import { followCounts } from '../../follows/follows.statements';
import { methods } from '../declaration/declaration';
import { account } from '../declaration/parameters';

export const getFollowCount = methods({
  names: ['condenser_api.get_follow_count', 'follow_api.get_follow_count'],
  summary: 'The number of followers of an account, and of the accounts it follows',
  required: 1,
  parameters: { account: account('account') },
  result: z.strictObject({ account: z.string(), following_count: z.int().min(0), follower_count: z.int().min(0) }),
  example: { params: { account: 'alice' }, result: { account: 'alice', following_count: 2, follower_count: 3 } },
  needs: ['live-head', 'follows'],
  handle: async ({ account: name }, { database, accounts }) => {
    const counts = await followCounts.find(database, { name });
    if (counts === undefined) await accounts.requireOnChain(name);
    const { followers, following } = counts ?? { followers: 0, following: 0 };
    return { account: name, following_count: following, follower_count: followers };
  },
});
