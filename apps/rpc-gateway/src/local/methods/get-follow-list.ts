import { z } from 'zod';
import { unmetAccountId } from '../../accounts/known-accounts';
import { followLists } from '../../follows/follow-lists';
import { listed } from '../../follows/follows.statements';
import { method } from '../declaration';
import { oneOf, optionalAccount } from '../parameters';

const { blacklists, followsBlacklists, ignores, followsMuted } = followLists;

const lists = {
  blacklisted: { list: blacklists, isOfLists: false },
  follow_blacklist: { list: followsBlacklists, isOfLists: true },
  muted: { list: ignores, isOfLists: false },
  follow_muted: { list: followsMuted, isOfLists: true },
} as const;

/** Those whose lists one follows are told with what they say of these. */
export const getFollowList = method({
  name: 'bridge.get_follow_list',
  summary: 'Who is on a list of an account: blacklisted, muted, or followed for their own lists',
  required: 1,
  parameters: {
    observer: optionalAccount('observer'),
    follow_type: oneOf('follow_type', {
      words: ['blacklisted', 'follow_blacklist', 'muted', 'follow_muted'],
      otherwise: 'blacklisted',
      refusal: 'Unsupported follow_type, valid values',
    }),
  },
  result: z.array(
    z.strictObject({ name: z.string(), blacklist_description: z.string(), muted_list_description: z.string() }),
  ),
  example: {
    params: { observer: 'alice', follow_type: 'muted' },
    result: [{ name: 'bob', blacklist_description: '', muted_list_description: '' }],
  },
  answer: async ({ observer, follow_type: type }, { database, accounts }) => {
    const { list, isOfLists } = lists[type];
    const id = (await accounts.findId(observer)) ?? unmetAccountId;
    const rows = await listed.query(database, { accountId: id, lists: list });
    const said = (text: string | null) => (isOfLists ? (text ?? '') : '');
    return rows.map(({ name, blacklistDescription, mutedListDescription }) => ({
      name,
      blacklist_description: said(blacklistDescription),
      muted_list_description: said(mutedListDescription),
    }));
  },
});
