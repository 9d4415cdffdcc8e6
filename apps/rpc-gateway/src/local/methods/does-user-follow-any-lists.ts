import { z } from 'zod';
import { unindexedAccountId } from '../../accounts/known-accounts';
import { followsAnyLists } from '../../follows/follows.statements';
import { method } from '../declaration/declaration';
import { optionalAccount } from '../declaration/parameters';

export const doesUserFollowAnyLists = method({
  name: 'bridge.does_user_follow_any_lists',
  summary: 'Whether an account follows any blacklist or mute list',
  required: 1,
  parameters: { observer: optionalAccount('observer') },
  result: z.boolean(),
  example: { params: { observer: 'alice' }, result: false },
  needs: ['live-head', 'follows'],
  handle: async ({ observer }, { database, accounts }) => {
    const id = (await accounts.findId(observer)) ?? unindexedAccountId;
    return (await followsAnyLists.execute(database, { accountId: id })) > 0;
  },
});
