import { z } from 'zod';
import { followLists } from '../../follows/follow-lists';
import { listsBetween } from '../../follows/follows.statements';
import { method } from '../declaration/declaration';
import { account, ignored, optionalAccount } from '../declaration/parameters';

const { follows, ignores, blacklists, followsBlacklists, followsMuted } = followLists;

/**
 * Clients still send `observer` and `debug`. They do not change the result, but `observer` must be empty or name an
 * existing account.
 */
export const getRelationshipBetweenAccounts = method({
  name: 'bridge.get_relationship_between_accounts',
  summary: 'The lists of the first account that the second is on',
  required: 2,
  parameters: {
    account1: account('account1'),
    account2: account('account2'),
    observer: optionalAccount('observer'),
    debug: ignored,
  },
  result: z.strictObject({
    follows: z.boolean(),
    ignores: z.boolean(),
    blacklists: z.boolean(),
    follows_blacklists: z.boolean(),
    follows_muted: z.boolean(),
  }),
  example: {
    params: { account1: 'alice', account2: 'bob' },
    result: { follows: true, ignores: false, blacklists: false, follows_blacklists: false, follows_muted: false },
  },
  needs: ['live-head', 'follows'],
  handle: async ({ account1, account2, observer }, { database, accounts }) => {
    const followerId = await accounts.getId(account1);
    const followingId = await accounts.getId(account2);
    // Rejects the name of an account that does not exist.
    await accounts.findId(observer);
    const between = await listsBetween.find(database, { followerId, followingId });
    /** @param list a bit of `lists` */
    const isOn = (list: number) => ((between?.lists ?? 0) & list) > 0;
    return {
      follows: isOn(follows),
      ignores: isOn(ignores),
      blacklists: isOn(blacklists),
      follows_blacklists: isOn(followsBlacklists),
      follows_muted: isOn(followsMuted),
    };
  },
});
