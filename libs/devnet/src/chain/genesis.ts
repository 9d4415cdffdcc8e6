import { type Account, noActivity } from '../state/account';
import { hbd, hive, vests } from '../state/assets';
import { type Authority, authorityOf } from '../state/authority';
import { type Block } from './block';
import { devnetKeys } from '../keys';
import { accountCreationFee, initMiner, zeroId } from '../protocol';
import { ChainState } from '../state/state';
import { type HiveTime, neverHappened } from '../time';

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

/** An authority that no signature satisfies. */
export const noAuthority: Authority = { weight_threshold: 1, account_auths: [], key_auths: [] };
/** The public key that no private key has. */
export const nullKey = 'STM1111111111111111111111111111111114T1Anm';

/** The accounts that hived creates before the first block, in the order of their ids; only the last one has keys. */
const initialAccounts = ['miners', 'null', 'temp', initMiner] as const;

/** The state before the first block: one account has all coins, and the block is not returned by the API. */
export function genesisBlock(time: HiveTime): Block {
  const state = ChainState.empty();
  for (const [id, name] of initialAccounts.entries()) state.putAccount(initialAccount(id, name));
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
 * The operations of the first block, in condenser_api's form: each account is created and gets 1,000 HIVE, 1,000 HBD
 * and 1,000,000 VESTS.
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

function initialAccount(id: number, name: string): Account {
  const isInitMiner = name === initMiner;
  const keys = devnetKeys(initMiner);
  const authority = (role: 'owner' | 'active' | 'posting') =>
    isInitMiner ? authorityOf(keys[role].publicKey) : noAuthority;
  return {
    id,
    name,
    owner: authority('owner'),
    active: authority('active'),
    posting: authority('posting'),
    memoKey: isInitMiner ? keys.memo.publicKey : nullKey,
    jsonMetadata: '',
    postingJsonMetadata: '',
    recoveryAccount: '',
    created: neverHappened,
    previousOwnerUpdate: neverHappened,
    lastOwnerUpdate: neverHappened,
    lastAccountUpdate: neverHappened,
    hive: hive(isInitMiner ? 1_000_000_000 : 0),
    hbd: hbd(isInitMiner ? 1_000_000_000 : 0),
    vests: vests(isInitMiner ? 1_000_000_000 : 0),
    delegatedVests: vests(0),
    receivedVests: vests(0),
    activity: noActivity,
    reputation: undefined,
  };
}
