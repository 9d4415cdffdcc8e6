import { type NamedOperation } from '../dialect';
import { type Account, noActivity, parseAccountName } from '../state/account';
import { type Asset, hbd, hive, vests } from '../state/assets';
import { type Authority, parseAuthority, parsePublicKey } from '../state/authority';
import { assertion } from '../errors';
import { type Fields, listOf, optional, textOf } from '../fields';
import { accountCreationFee } from '../protocol';
import { type ChainState } from '../state/state';
import { type HiveTime, neverHappened } from '../time';

/** The fields that all operations that create an account share. */
export interface CreatedAccount {
  readonly creator: string;
  readonly new_account_name: string;
  readonly owner: Authority;
  readonly active: Authority;
  readonly posting: Authority;
  readonly memo_key: string;
  readonly json_metadata: string;
}

/** Parses the fields of a new account, in the order of the protocol. */
export function parseCreatedAccount(fields: Fields): CreatedAccount {
  return {
    creator: parseAccountName(fields['creator']),
    new_account_name: parseAccountName(fields['new_account_name']),
    owner: parseAuthority(fields['owner']),
    active: parseAuthority(fields['active']),
    posting: parseAuthority(fields['posting']),
    memo_key: parsePublicKey(fields['memo_key']),
    json_metadata: textOf(fields['json_metadata']),
  };
}

/** Operations of later hardforks end with extensions, which are empty. */
export function parseNoExtensions(fields: Fields): readonly never[] {
  const extensions = optional(fields['extensions'], listOf) ?? [];
  if (extensions.length > 0) throw assertion('extensions.empty()', 'There are no extensions.');
  return [];
}

/** @throws NodeError if the account exists, or an authority contains one that does not. */
export function addAccount(value: CreatedAccount, state: ChainState, now: HiveTime): void {
  const { new_account_name: name } = value;
  if (state.findAccount(name)) {
    throw assertion('find_account( name ) == nullptr', 'Account ${name} already exists.', { name });
  }
  for (const authority of [value.owner, value.active, value.posting]) state.checkAuthority(authority);
  state.putAccount(createdAccount(value, state.accountCount, now));
}

/** A new account, without funds. */
export function createdAccount(value: CreatedAccount, id: number, now: HiveTime): Account {
  return {
    id,
    name: value.new_account_name,
    owner: value.owner,
    active: value.active,
    posting: value.posting,
    memoKey: value.memo_key,
    jsonMetadata: value.json_metadata,
    postingJsonMetadata: '',
    recoveryAccount: value.creator,
    created: now,
    previousOwnerUpdate: neverHappened,
    lastOwnerUpdate: neverHappened,
    lastAccountUpdate: neverHappened,
    hive: hive(0),
    hbd: hbd(0),
    vests: vests(0),
    delegatedVests: vests(0),
    receivedVests: vests(0),
    activity: noActivity,
    reputation: undefined,
  };
}

/** @throws NodeError unless the fee is the one that witnesses demand. */
export function checkFee(fee: Asset): void {
  if (fee.legacy() === accountCreationFee.legacy()) return;
  throw assertion(
    'o.fee == wso.median_props.account_creation_fee',
    'Must pay the exact account creation fee. paid: ${p} fee: ${f}',
    { p: fee.legacy(), f: accountCreationFee.legacy() },
  );
}

/** The virtual operation that reports a new account. */
export function accountCreated(
  { new_account_name, creator }: CreatedAccount,
  initialDelegation: Asset = vests(0),
): NamedOperation {
  return {
    name: 'account_created',
    value: { new_account_name, creator, initial_vesting_shares: vests(0), initial_delegation: initialDelegation },
  };
}
