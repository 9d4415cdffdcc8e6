import { z } from 'zod';
import { unmetAccountId } from '../../accounts/known-accounts';
import { followsAnyLists } from '../../follows/follows.statements';
import { method } from '../declaration';
import { optionalAccount } from '../parameters';

export const doesUserFollowAnyLists = method({
  name: 'bridge.does_user_follow_any_lists',
  summary: 'Whether an account follows the blacklist or the mute list of anybody',
  required: 1,
  parameters: { observer: optionalAccount('observer') },
  result: z.boolean(),
  example: { params: { observer: 'alice' }, result: false },
  answer: async ({ observer }, { database, accounts }) => {
    const id = (await accounts.findId(observer)) ?? unmetAccountId;
    return (await followsAnyLists.execute(database, { accountId: id })) > 0;
  },
});
