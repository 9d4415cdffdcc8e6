import { findContexts, getCommunityId } from '../../communities/known-communities';
import { method } from '../declaration/declaration';
import { community, optionalAccount } from '../declaration/parameters';
import { communityContext } from '../declaration/results';

export const getCommunityContext = method({
  name: 'bridge.get_community_context',
  summary: 'The role, subscription and title of an account in a community',
  required: 2,
  parameters: { name: community, account: optionalAccount('account name') },
  result: communityContext,
  example: {
    params: { name: 'hive-100001', account: 'alice' },
    result: { role: 'guest', subscribed: true, title: '' },
  },
  needs: ['live-head', 'communities'],
  handle: async ({ name, account }, { database, accounts }) => {
    const id = await getCommunityId(database, name);
    const contexts = await findContexts(database, await accounts.findId(account), [id]);
    return contexts.get(id) ?? {};
  },
});
