import { z } from 'zod';
import { method } from '../declaration/declaration';
import { optionalAccount, uncheckedAccounts } from '../declaration/parameters';
import { accountProfile, exampleProfile, readProfiles } from './profiles';

export const getProfiles = method({
  name: 'bridge.get_profiles',
  summary: 'Several accounts with their profiles, in the requested order',
  required: 1,
  parameters: { accounts: uncheckedAccounts, observer: optionalAccount('account name') },
  result: z.array(accountProfile),
  example: { params: { accounts: ['alice'] }, result: [exampleProfile] },
  needs: ['live-head', 'follows', 'reputations'],
  handle: async ({ accounts, observer }, sources) => readProfiles(accounts, observer, sources),
});
