import { type Asset } from './assets';
import { type Authority } from './authority';
import { assertion } from '../errors';
import { textOf } from '../fields';
import { type HiveTime, neverHappened } from '../time';

/** An account of the chain. Immutable, so that older states of the chain stay readable. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly owner: Authority;
  readonly active: Authority;
  readonly posting: Authority;
  readonly memoKey: string;
  readonly jsonMetadata: string;
  readonly postingJsonMetadata: string;
  readonly recoveryAccount: string;
  readonly created: HiveTime;
  readonly previousOwnerUpdate: HiveTime;
  readonly lastOwnerUpdate: HiveTime;
  readonly lastAccountUpdate: HiveTime;
  readonly hive: Asset;
  readonly hbd: Asset;
  readonly vests: Asset;
  /** VESTS delegated to others, and pending returns. */
  readonly delegatedVests: Asset;
  readonly receivedVests: Asset;
  readonly activity: Activity;
  /** Reputation in units of rshares / 64; undefined before the first vote that counts. */
  readonly reputation: bigint | undefined;
}

/** Counts of an account's posts and votes, and times of its last actions. */
export interface Activity {
  /** Posts and replies. */
  readonly postCount: number;
  readonly lastPost: HiveTime;
  readonly lastRootPost: HiveTime;
  readonly lastVote: HiveTime;
}

export const noActivity: Activity = {
  postCount: 0,
  lastPost: neverHappened,
  lastRootPost: neverHappened,
  lastVote: neverHappened,
};

/** The chain's rule for names: labels of at least three characters, 3 to 16 in all. */
export function isAccountName(name: string): boolean {
  return (
    name.length >= 3 && name.length <= 16 && name.split('.').every((label) => /^[a-z][a-z0-9-]+[a-z0-9]$/.test(label))
  );
}

export function parseAccountName(value: unknown): string {
  const name = textOf(value);
  if (!isAccountName(name))
    throw assertion('is_valid_account_name( name )', 'Account name ${n} is invalid', { n: name });
  return name;
}
