import { method } from '../declaration/declaration';
import { optionalAccount, uncheckedAccount } from '../declaration/parameters';
import { accountProfile, exampleProfile, readProfiles } from './profiles';

export const getProfile = method({
  name: 'bridge.get_profile',
  summary: 'An account with its profile, its reputation and its number of followers',
  required: 1,
  parameters: { account: uncheckedAccount, observer: optionalAccount('account name') },
  result: accountProfile,
  example: { params: { account: 'alice' }, result: exampleProfile },
  needs: ['live-head', 'follows', 'reputations'],
  handle: async ({ account, observer }, sources) => (await readProfiles([account], observer, sources))[0],
});
