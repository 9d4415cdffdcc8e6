import { assertion, badCast } from '../errors';
import { fieldsOf, countOf, listOf, textOf } from '../fields';
import { isPublicKey } from '../keys';

/** An authority: keys and accounts with weights, and the threshold that they must reach. */
export interface Authority {
  readonly weight_threshold: number;
  readonly account_auths: readonly (readonly [account: string, weight: number])[];
  readonly key_auths: readonly (readonly [publicKey: string, weight: number])[];
}

/** The authority of a single key. */
export function authorityOf(publicKey: string): Authority {
  return { weight_threshold: 1, account_auths: [], key_auths: [[publicKey, 1]] };
}

/** HIVE_MAX_SIG_CHECK_DEPTH of hived: how far accounts in `account_auths` are followed. */
const maxDepth = 2;
/** HIVE_MAX_AUTHORITY_MEMBERSHIP of hived. */
const maxMembers = 40;

/**
 * Whether the signatures reach the threshold.
 * @param authorityOfAccount the authority of the same level of an account named in `account_auths`.
 */
export function isSatisfied(
  authority: Authority,
  signedBy: ReadonlySet<string>,
  authorityOfAccount: (account: string) => Authority | undefined,
  depth = 0,
): boolean {
  const approves = (account: string): boolean => {
    const other = depth < maxDepth ? authorityOfAccount(account) : undefined;
    return other !== undefined && isSatisfied(other, signedBy, authorityOfAccount, depth + 1);
  };
  const weight =
    sumOf(authority.key_auths.filter(([key]) => signedBy.has(key))) +
    sumOf(authority.account_auths.filter(([account]) => approves(account)));
  return weight >= authority.weight_threshold;
}

/** @throws NodeError if the JSON is not an authority, or one that a node would reject. */
export function parseAuthority(value: unknown): Authority {
  const fields = fieldsOf(value);
  const authority: Authority = {
    weight_threshold: countOf(fields['weight_threshold']),
    account_auths: weighted(fields['account_auths'], textOf),
    key_auths: weighted(fields['key_auths'], parsePublicKey),
  };
  if (authority.account_auths.length + authority.key_auths.length > maxMembers) {
    throw assertion(
      'auth.account_auths.size() + auth.key_auths.size() <= HIVE_MAX_AUTHORITY_MEMBERSHIP',
      'Authority membership exceeded.',
    );
  }
  return authority;
}

export function parsePublicKey(value: unknown): string {
  const key = textOf(value);
  if (!isPublicKey(key)) throw badCast('Invalid public key: ${key}', { key });
  return key;
}

function weighted(value: unknown, read: (name: unknown) => string): (readonly [string, number])[] {
  return listOf(value)
    .map((entry): readonly [string, number] => {
      const [name, weight] = listOf(entry);
      return [read(name), countOf(weight)];
    })
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function sumOf(entries: readonly (readonly [string, number])[]): number {
  return entries.reduce((sum, [, weight]) => sum + weight, 0);
}
