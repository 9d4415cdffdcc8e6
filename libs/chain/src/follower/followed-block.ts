import { type HiveBlock, type HiveOperation } from '../api/block-api';
import { zeroId } from '../api/block-id';
import { type VirtualOperation } from '../api/virtual-operations';

/** One operation of an irreversible block, real or virtual. */
export interface FollowedOperation {
  /**
   * Number within the block: real operations are counted first, then the requested virtual ones. They are applied in
   * another order.
   */
  readonly index: number;
  /** 40 characters of hex; undefined for operations of the block itself. */
  readonly transactionId: string | undefined;
  readonly isVirtual: boolean;
  /** Such as `delegate_vesting_shares_operation`. */
  readonly type: string;
  /** As the appbase APIs write it: amounts are `{amount, precision, nai}`. */
  readonly value: Record<string, unknown>;
}

export interface FollowedBlock {
  readonly number: number;
  /** 40 characters of hex; the first eight are the number. */
  readonly id: string;
  /** Id of the block before. */
  readonly previous: string;
  readonly timestamp: Date;
  /** The time of the block before, which by Hive's rules is the time of this block's operations. */
  readonly previousTimestamp: Date;
  /**
   * As hived applies them: transaction by transaction, then the operations of the block itself. Within a transaction,
   * virtual operations come last: nodes do not say in one way which real operation they follow.
   */
  readonly operations: readonly FollowedOperation[];
}

/** Selects the operations that a follower applies. */
export type IsWanted = (operation: HiveOperation) => boolean;

/** Stands for any operation that is not wanted. */
const unwanted: HiveOperation = { type: '', value: {} };

/**
 * Empties the operations that are not wanted, but leaves their positions. A block waits for its virtual operations:
 * without this, a fifth of an indexer's CPU time was garbage collection of operations that are dropped anyway.
 */
export function withoutUnwanted(block: HiveBlock, isWanted: IsWanted): HiveBlock {
  const transactions = block.transactions.map(({ id, operations }) => ({
    id,
    operations: operations.map((operation) => (isWanted(operation) ? operation : unwanted)),
  }));
  return { ...block, transactions };
}

/**
 * @param previousTimestamp undefined before the first block, which then counts as its own
 * @param virtual the virtual operations of this block
 */
export function followedBlock(
  block: HiveBlock,
  previousTimestamp: Date | undefined,
  virtual: readonly VirtualOperation[],
  isWanted: IsWanted,
): FollowedBlock {
  const operations: FollowedOperation[] = [];
  const virtualByTransaction = numberVirtual(countOperations(block), virtual);
  let index = 0;
  for (const { id, operations: ofTransaction } of block.transactions) {
    for (const operation of ofTransaction) {
      if (operation !== unwanted && isWanted(operation))
        operations.push(followedOperation(index, id, false, operation));
      index += 1;
    }
    for (const operation of virtualByTransaction.get(id) ?? []) operations.push(operation);
    virtualByTransaction.delete(id);
  }
  for (const rest of virtualByTransaction.values()) for (const operation of rest) operations.push(operation);
  const { number, id, previous, timestamp } = block;
  return { number, id, previous, timestamp, previousTimestamp: previousTimestamp ?? timestamp, operations };
}

function countOperations({ transactions }: HiveBlock): number {
  return transactions.reduce((count, { operations }) => count + operations.length, 0);
}

function numberVirtual(first: number, virtual: readonly VirtualOperation[]): Map<string, FollowedOperation[]> {
  const byTransaction = new Map<string, FollowedOperation[]>();
  for (const [position, { trx_id: id, op }] of virtual.entries()) {
    const operation = followedOperation(first + position, id === zeroId ? undefined : id, true, op);
    const others = byTransaction.get(id);
    if (others) others.push(operation);
    else byTransaction.set(id, [operation]);
  }
  return byTransaction;
}

function followedOperation(
  index: number,
  transactionId: string | undefined,
  isVirtual: boolean,
  { type, value }: HiveOperation,
): FollowedOperation {
  return { index, transactionId, isVirtual, type, value };
}
