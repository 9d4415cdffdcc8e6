import { assertionFailed, RpcError } from '@waggle/contracts';
import { type RowIn } from '@waggle/service';
import { z } from 'zod';
import { type AccountDetails } from '../../accounts/account-details';
import { accountStats } from '../../accounts/accounts.statements';
import { unindexedAccountId } from '../../accounts/known-accounts';
import { profileOf, profileSchema } from '../../accounts/profile';
import { reputationScore } from '../../accounts/reputation';
import { followLists } from '../../follows/follow-lists';
import { method } from '../declaration/declaration';
import { accountNameOf } from '../declaration/parameter-values';
import { optionalAccount, uncheckedAccount, uncheckedAccounts } from '../declaration/parameters';
import { type Sources } from '../declaration/sources';

const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
const count = z.int().min(0);

/** The result of `get_profile`. */
export const accountProfile = z
  .strictObject({
    id: count.meta({ description: 'Id on the chain' }),
    name: z.string(),
    created: time,
    active: time.meta({ description: 'Time of the last post or vote' }),
    post_count: count,
    reputation: z.int().meta({ description: 'Score, not the raw reputation' }),
    blacklists: z.array(z.string()).length(0),
    stats: z.strictObject({ rank: z.literal(0), following: count, followers: count }),
    metadata: z.strictObject({ profile: profileSchema }),
    context: z
      .strictObject({ followed: z.boolean(), muted: z.literal(true).optional() })
      .optional()
      .meta({ description: 'Whether the observer follows or has muted the account; only with an observer' }),
  })
  .meta({ id: 'AccountProfile' });

type AccountProfile = z.infer<typeof accountProfile>;

export const exampleProfile: AccountProfile = {
  id: 7,
  name: 'alice',
  created: '2025-01-15T12:30:45',
  active: '2025-01-16T12:30:45',
  post_count: 3,
  reputation: 46,
  blacklists: [],
  stats: { rank: 0, following: 2, followers: 3 },
  metadata: {
    profile: {
      name: 'Alice',
      about: 'Keeps bees',
      location: '',
      website: '',
      profile_image: '',
      cover_image: '',
      blacklist_description: '',
      muted_list_description: '',
    },
  },
};

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

type AccountStats = RowIn<typeof accountStats>;

/**
 * Reads profiles in the order of the names: details of the accounts from a node, the rest from the index.
 *
 * @param names unchecked
 * @param observer a name, or empty
 * @throws RpcError that names each account that is malformed or does not exist
 */
export async function readProfiles(
  names: readonly string[],
  observer: string,
  sources: Sources,
): Promise<AccountProfile[]> {
  const malformed = names.flatMap(nameErrors);
  if (malformed.length > 0) throw assertionFailed(formatErrors(malformed), 'account');
  const found = await sources.accountDetails.find(names);
  const missing = names.filter((_name, index) => found[index] === undefined);
  if (missing.length > 0) throw assertionFailed(formatErrors(missing.map((name) => [name, 'account does not exist'])));
  const observerId = await sources.accounts.findId(observer);
  const rows = await accountStats.query(sources.database, { names, observerId: observerId ?? unindexedAccountId });
  const statsByName = new Map(rows.map((row) => [row.name, row]));
  const reputations = await reputationsOf(names, statsByName, sources);
  return found.flatMap((account, index) => {
    if (account === undefined) return [];
    const stats = statsByName.get(account.name);
    const context = observerId === undefined ? {} : { context: contextOf(stats?.lists ?? 0) };
    return [{ ...profileFrom(account, stats, reputations[index] ?? null), ...context }];
  });
}

/** From the index if it contains all votes for the account, otherwise from a node. */
async function reputationsOf(
  names: readonly string[],
  statsByName: ReadonlyMap<string, AccountStats>,
  sources: Sources,
): Promise<(bigint | undefined)[]> {
  const known = new Map(
    [...statsByName.values()].flatMap(({ name, reputation }) =>
      reputation === null ? [] : [[name, BigInt(reputation)]],
    ),
  );
  const unknown = names.filter((name) => !known.has(name));
  const fromNodes = await sources.reputations.find(unknown);
  return names.map((name) => known.get(name) ?? fromNodes[unknown.indexOf(name)]);
}

function profileFrom(
  account: AccountDetails,
  stats: Pick<AccountStats, 'followers' | 'following'> = { followers: 0, following: 0 },
  reputation: bigint | null,
): AccountProfile {
  const { created, last_post: lastPost, last_vote_time: lastVote = created } = account;
  return {
    id: account.id,
    name: account.name,
    created: textOf(created),
    active: textOf(new Date(Math.max(created.getTime(), lastPost.getTime(), lastVote.getTime()))),
    post_count: account.post_count,
    reputation: reputationScore(reputation),
    blacklists: [],
    stats: { rank: 0, following: stats.following, followers: stats.followers },
    metadata: { profile: profileOf(account) },
  };
}

function contextOf(lists: number): AccountProfile['context'] {
  const isOn = (list: number) => (lists & list) > 0;
  return { followed: isOn(followLists.follows), ...(isOn(followLists.ignores) && { muted: true }) };
}

type NameError = readonly [name: string, reason: string];

/** Checks the form of a name. @returns at most one error */
function nameErrors(name: string): NameError[] {
  try {
    accountNameOf(name, 'account name');
    return [];
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return [[name.slice(0, 100), error.message.replace(/^Assert Exception:/, '')]];
  }
}

/** Formats JSON as PostgreSQL does, with a space after each colon and comma, because clients compare the text. */
function formatErrors(errors: readonly NameError[]): string {
  return `[${errors.map((error) => `{${error.map((text) => JSON.stringify(text)).join(': ')}}`).join(', ')}]`;
}

function textOf(date: Date): string {
  return date.toISOString().slice(0, 19);
}
