import { findContexts, getCommunityId } from '../../communities/known-communities';
import { method } from '../declaration';
import { community, optionalAccount } from '../parameters';

export const getCommunityContext = method({
  name: 'bridge.get_community_context',
  required: 2,
  parameters: { name: community, account: optionalAccount('account name') },
  answer: async ({ name, account }, { database, accounts }) => {
    const id = await getCommunityId(database, name);
    const contexts = await findContexts(database, await accounts.findId(account), [id]);
    return contexts.get(id) ?? {};
  },
});
