import { responsesTooLong, upstreamError } from '@waggle/contracts';
import { ConcurrencyLimiter, type RowIn } from '@waggle/service';
import { z } from 'zod';
import { unindexedAccountId } from '../../accounts/known-accounts';
import { followLists } from '../../follows/follow-lists';
import { descriptionBytes, followsAnyLists, listed } from '../../follows/follows.statements';
import { method } from '../declaration/declaration';
import { oneOf, optionalAccount } from '../declaration/parameters';
import { type Sources } from '../declaration/sources';

const { blacklists, followsBlacklists, ignores, followsMuted } = followLists;

const lists = {
  blacklisted: { list: blacklists, isForLists: false },
  follow_blacklist: { list: followsBlacklists, isForLists: true },
  muted: { list: ignores, isForLists: false },
  follow_muted: { list: followsMuted, isForLists: true },
} as const;

/** An account can put every other account on a list, and the method has no pages. This many are a response of 8 MB. */
const maxAccounts = 100_000;
/** Maximum size of all descriptions in a response. */
const maxDescriptionBytes = 8 * 1024 * 1024;
/**
 * Maximum length of a short list. Long lists are read two at a time, so that they leave memory and database connections
 * to other calls. The descriptions of this many accounts have at most 2 MiB.
 */
const maxShortList = 1_000;
const longLists = new ConcurrencyLimiter({ maxRunning: 2, maxQueued: 100, maxWaitMs: 2_000 }, () =>
  upstreamError('overloaded'),
);

/** Accounts that are followed for their lists come with the descriptions of these lists. */
export const getFollowList = method({
  name: 'bridge.get_follow_list',
  summary:
    'The accounts on a list of an account: blacklisted, muted, or followed for their own lists. More than 100,000 are the error `too-long`',
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
    const accountId = (await accounts.findId(observer)) ?? unindexedAccountId;
    const rows = await findListed(database, { accountId, lists: list, isDescribed: isForLists });
    return rows.map(({ name, blacklistDescription, mutedListDescription }) => ({
      name,
      blacklist_description: blacklistDescription ?? '',
      muted_list_description: mutedListDescription ?? '',
    }));
  },
});

interface Listed {
  readonly accountId: number;
  readonly lists: number;
  readonly isDescribed: boolean;
}

/** @throws RpcError if the list or its descriptions are too long, or too many long lists are requested */
async function findListed(database: Sources['database'], parameters: Listed): Promise<RowIn<typeof listed>[]> {
  const short = await listed.query(database, { ...parameters, limit: maxShortList + 1 });
  if (short.length <= maxShortList) return short;
  return longLists.run(async () => {
    const limited = { ...parameters, limit: maxAccounts + 1 };
    if (parameters.isDescribed) {
      const row = await descriptionBytes.find(database, limited);
      if (Number(row?.bytes) > maxDescriptionBytes) throw responsesTooLong();
    }
    const rows = await listed.query(database, limited);
    if (rows.length > maxAccounts) throw responsesTooLong();
    return rows;
  });
}

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
