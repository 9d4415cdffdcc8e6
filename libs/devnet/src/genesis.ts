import { type Account, noActivity } from './account';
import { hbd, hive, vests } from './assets';
import { authorityOf } from './authority';
import { type Block } from './block';
import { devnetKeys } from './keys';
import { accountCreationFee, initMiner, zeroId } from './protocol';
import { ChainState } from './state';
import { type HiveTime, neverHappened } from './time';

/** The accounts that the first block creates and endows. */
export const seedAccounts = [
  'alice',
  'bob',
  'carol',
  'dave',
  'erin',
  'frank',
  'grace',
  'heidi',
  'ivan',
  'judy',
] as const;

/** The state before the first block: one account with all coins, and a block that the API does not return. */
export function genesisBlock(time: HiveTime): Block {
  const state = ChainState.empty();
  state.putAccount(initialAccount(time));
  return {
    number: 0,
    id: zeroId,
    previous: zeroId,
    timestamp: time,
    witness: '',
    transactionMerkleRoot: zeroId,
    witnessSignature: '',
    signingKey: '',
    transactions: [],
    operations: [],
    state,
  };
}

/**
 * The operations of the first block, in condenser_api's form: each account is created and gets 1,000 HIVE, 1,000 HBD and
 * 1,000,000 VESTS.
 */
export function seedOperations(): [name: string, value: object][] {
  return seedAccounts.flatMap((name): [string, object][] => [
    ['account_create', newAccount(name)],
    ['transfer', { from: initMiner, to: name, amount: hive(1000).legacy(), memo: '' }],
    ['transfer', { from: initMiner, to: name, amount: hbd(1000).legacy(), memo: '' }],
    ['transfer_to_vesting', { from: initMiner, to: name, amount: hive(500).legacy() }],
  ]);
}

/**
 * The value of an account_create operation by initminer, in condenser_api's form.
 * @param keys public keys; those left out are `devnetKeys(name)`.
 */
export function newAccount(
  name: string,
  keys: Partial<Record<'owner' | 'active' | 'posting' | 'memo', string>> = {},
): object {
  const own = devnetKeys(name);
  const authority = (role: 'owner' | 'active' | 'posting') => authorityOf(keys[role] ?? own[role].publicKey);
  return {
    fee: accountCreationFee.legacy(),
    creator: initMiner,
    new_account_name: name,
    owner: authority('owner'),
    active: authority('active'),
    posting: authority('posting'),
    memo_key: keys.memo ?? own.memo.publicKey,
    json_metadata: '',
  };
}

function initialAccount(time: HiveTime): Account {
  const keys = devnetKeys(initMiner);
  return {
    id: 0,
    name: initMiner,
    owner: authorityOf(keys.owner.publicKey),
    active: authorityOf(keys.active.publicKey),
    posting: authorityOf(keys.posting.publicKey),
    memoKey: keys.memo.publicKey,
    jsonMetadata: '',
    postingJsonMetadata: '',
    recoveryAccount: '',
    created: time,
    previousOwnerUpdate: neverHappened,
    lastOwnerUpdate: neverHappened,
    lastAccountUpdate: neverHappened,
    hive: hive(1_000_000_000),
    hbd: hbd(1_000_000_000),
    vests: vests(1_000_000_000),
    delegatedVests: vests(0),
    receivedVests: vests(0),
    activity: noActivity,
    reputation: undefined,
  };
}
