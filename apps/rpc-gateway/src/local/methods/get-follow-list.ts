import { z } from 'zod';
import { unindexedAccountId } from '../../accounts/known-accounts';
import { followLists } from '../../follows/follow-lists';
import { listed } from '../../follows/follows.statements';
import { method } from '../declaration/declaration';
import { oneOf, optionalAccount } from '../declaration/parameters';

const { blacklists, followsBlacklists, ignores, followsMuted } = followLists;

const lists = {
  blacklisted: { list: blacklists, isForLists: false },
  follow_blacklist: { list: followsBlacklists, isForLists: true },
  muted: { list: ignores, isForLists: false },
  follow_muted: { list: followsMuted, isForLists: true },
} as const;

/** Accounts that are followed for their lists come with the descriptions of these lists. */
export const getFollowList = method({
  name: 'bridge.get_follow_list',
  summary: 'The accounts on a list of an account: blacklisted, muted, or followed for their own lists',
  required: 1,
  parameters: {
    observer: optionalAccount('observer'),
    follow_type: oneOf('follow_type', {
      values: ['blacklisted', 'follow_blacklist', 'muted', 'follow_muted'],
      defaultValue: 'blacklisted',
      errorMessage: 'Unsupported follow_type, valid values',
    }),
  },
  result: z.array(
    z.strictObject({ name: z.string(), blacklist_description: z.string(), muted_list_description: z.string() }),
  ),
  example: {
    params: { observer: 'alice', follow_type: 'muted' },
    result: [{ name: 'bob', blacklist_description: '', muted_list_description: '' }],
  },
  needs: ['live-head', 'follows'],
  handle: async ({ observer, follow_type: type }, { database, accounts }) => {
    const { list, isForLists } = lists[type];
    const id = (await accounts.findId(observer)) ?? unindexedAccountId;
    const rows = await listed.query(database, { accountId: id, lists: list });
    const description = (text: string | null) => (isForLists ? (text ?? '') : '');
    return rows.map(({ name, blacklistDescription, mutedListDescription }) => ({
      name,
      blacklist_description: description(blacklistDescription),
      muted_list_description: description(mutedListDescription),
    }));
  },
});
