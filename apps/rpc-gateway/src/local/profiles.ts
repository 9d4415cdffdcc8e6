import { assertionFailed, RpcError } from '@waggle/contracts';
import { type RowIn } from '@waggle/service';
import { z } from 'zod';
import { type AccountDetails } from '../accounts/account-details';
import { accountStandings } from '../accounts/accounts.statements';
import { unmetAccountId } from '../accounts/known-accounts';
import { profile, profileOf } from '../accounts/profile';
import { reputationScore } from '../accounts/reputation';
import { followLists } from '../follows/follow-lists';
import { accountNameOf } from './parameters';
import { type Sources } from './sources';

const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
const count = z.int().min(0);

/** An account as `get_profile` answers it. */
export const accountProfile = z
  .strictObject({
    id: count.meta({ description: 'That of the chain' }),
    name: z.string(),
    created: time,
    active: time.meta({ description: 'When it last posted or voted' }),
    post_count: count,
    reputation: z.int().meta({ description: 'The score, as people read it' }),
    blacklists: z.array(z.string()).length(0),
    stats: z.strictObject({ rank: z.literal(0), following: count, followers: count }),
    metadata: z.strictObject({ profile }),
    context: z
      .strictObject({ followed: z.boolean(), muted: z.literal(true).optional() })
      .optional()
      .meta({ description: 'What the observer has done to the account; only with an observer' }),
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

type Standing = RowIn<typeof accountStandings>;

/**
 * Reads profiles, in the order of the names: details of the accounts from a node, the rest from the index.
 *
 * @param names as clients give them
 * @param observer a name, or empty
 * @throws RpcError naming each account that is malformed or does not exist
 */
export async function readProfiles(
  names: readonly string[],
  observer: string,
  sources: Sources,
): Promise<AccountProfile[]> {
  const malformed = names.flatMap(faultsOf);
  if (malformed.length > 0) throw assertionFailed(listOfFaults(malformed), 'account');
  const found = await sources.details.find(names);
  const absent = names.filter((_name, place) => found[place] === undefined);
  if (absent.length > 0) throw assertionFailed(listOfFaults(absent.map((name) => [name, 'account does not exist'])));
  const observerId = await sources.accounts.findId(observer);
  const rows = await accountStandings.query(sources.database, { names, observerId: observerId ?? unmetAccountId });
  const standings = new Map(rows.map((row) => [row.name, row]));
  const reputations = await reputationsOf(names, standings, sources);
  return found.flatMap((account, place) => {
    if (account === undefined) return [];
    const standing = standings.get(account.name);
    const context = observerId === undefined ? {} : { context: contextOf(standing?.lists ?? 0) };
    return [{ ...profileFrom(account, standing, reputations[place] ?? null), ...context }];
  });
}

/** From the index, which knows those of accounts all of whose votes it has seen; else from a node. */
async function reputationsOf(
  names: readonly string[],
  standings: ReadonlyMap<string, Standing>,
  sources: Sources,
): Promise<(bigint | undefined)[]> {
  const known = new Map(
    [...standings.values()].flatMap(({ name, reputation }) =>
      reputation === null ? [] : [[name, BigInt(reputation)]],
    ),
  );
  const unknown = names.filter((name) => !known.has(name));
  const asked = await sources.reputations.find(unknown);
  return names.map((name) => known.get(name) ?? asked[unknown.indexOf(name)]);
}

function profileFrom(
  account: AccountDetails,
  standing: Pick<Standing, 'followers' | 'following'> = { followers: 0, following: 0 },
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
    stats: { rank: 0, following: standing.following, followers: standing.followers },
    metadata: { profile: profileOf(account) },
  };
}

function contextOf(lists: number): AccountProfile['context'] {
  const isOn = (list: number) => (lists & list) > 0;
  return { followed: isOn(followLists.follows), ...(isOn(followLists.ignores) && { muted: true }) };
}

type Fault = readonly [name: string, reason: string];

/** None, or what is wrong with the form of a name. */
function faultsOf(name: string): Fault[] {
  try {
    accountNameOf(name, 'account name');
    return [];
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return [[name.slice(0, 100), error.message.replace(/^Assert Exception:/, '')]];
  }
}

/** As PostgreSQL writes JSON, with a blank after each colon and comma: clients compare the text. */
function listOfFaults(faults: readonly Fault[]): string {
  return `[${faults.map((fault) => `{${fault.map((text) => JSON.stringify(text)).join(': ')}}`).join(', ')}]`;
}

function textOf(date: Date): string {
  return date.toISOString().slice(0, 19);
}
