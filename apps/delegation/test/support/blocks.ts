import { type FollowedBlock, type FollowedOperation } from '@waggle/chain';

/** An operation of a block. */
export type OperationSketch = Pick<FollowedOperation, 'type' | 'value' | 'isVirtual'>;

/** Millionths of VESTS as nodes write them. */
export function vestsAsset(millionths: bigint) {
  return { amount: String(millionths), precision: 6, nai: '@@000000037' };
}

export function delegate(delegator: string, delegatee: string, millionths: bigint): OperationSketch {
  const value = { delegator, delegatee, vesting_shares: vestsAsset(millionths) };
  return { type: 'delegate_vesting_shares_operation', value, isVirtual: false };
}

export function createWithDelegation(creator: string, name: string, millionths: bigint): OperationSketch {
  const fee = { amount: '3000', precision: 3, nai: '@@000000021' };
  const value = { fee, creator, new_account_name: name, delegation: vestsAsset(millionths), json_metadata: '' };
  return { type: 'account_create_with_delegation_operation', value, isVirtual: false };
}

export function hardforkHive(account: string, delegatees: readonly string[]): OperationSketch {
  const value = { account, treasury: 'hive.fund', other_affected_accounts: delegatees };
  return { type: 'hardfork_hive_operation', value, isVirtual: true };
}

export function returnDelegation(account: string, millionths: bigint): OperationSketch {
  const value = { account, vesting_shares: vestsAsset(millionths) };
  return { type: 'return_vesting_delegation_operation', value, isVirtual: true };
}

/** 2026-01-01T00:00:00Z, in seconds: the time of block 0. */
const genesisSeconds = 1_767_225_600;

export function timeOf(block: number): Date {
  return new Date((genesisSeconds + 3 * block) * 1_000);
}

const idOf = (block: number) => block.toString(16).padStart(8, '0').padEnd(40, '0');

/** A block of the chain of tests, which has one every three seconds. */
export function blockWith(
  number: number,
  operations: readonly OperationSketch[] = [],
  timestamp = timeOf(number),
): FollowedBlock {
  return {
    number,
    id: idOf(number),
    previous: idOf(number - 1),
    timestamp,
    previousTimestamp: timeOf(number - 1),
    operations: operations.map((operation, index) => ({
      ...operation,
      index,
      transactionId: operation.isVirtual ? undefined : String(index).padStart(40, '0'),
    })),
  };
}

/** Consecutive blocks, each with the given operations. */
export function blocksFrom(first: number, operations: readonly (readonly OperationSketch[])[]): FollowedBlock[] {
  return operations.map((each, index) => blockWith(first + index, each));
}
