import { type AppliedOperation } from './block';
import { type BlockEffect } from './block-effects';
import { type NamedOperation } from '../dialect';
import { type Periods } from '../operations/operation';
import { zeroId } from '../protocol';
import { type ChainState } from '../state/state';
import { type HiveTime } from '../time';
import { type Transaction } from './transaction';

/** A new state, and the operations that led to it. */
export interface Applied {
  readonly state: ChainState;
  readonly operations: readonly AppliedOperation[];
}

/**
 * Applies a transaction to a copy of the state.
 *
 * @param index of the transaction in its block.
 * @param context.now time of the previous block.
 * @throws NodeError if an operation is not allowed.
 */
export function applyTransaction(
  before: ChainState,
  transaction: Transaction,
  index: number,
  context: Periods & { readonly now: HiveTime },
): Applied {
  const state = before.copy();
  const operations: AppliedOperation[] = [];
  const at = { transactionId: transaction.id, transactionInBlock: index };
  // Current hived numbers virtual operations after the real ones of the transaction.
  let next = transaction.operations.length;
  transaction.operations.forEach((operation, operationInTransaction) => {
    operations.push({ ...at, operation, virtual: false, operationInTransaction });
    const emit = (virtual: NamedOperation): void => {
      operations.push({ ...at, operation: virtual, virtual: true, operationInTransaction: next });
      next += 1;
    };
    operation.apply({ ...context, state, emit });
  });
  return { state, operations };
}

/** The index that hived gives to operations outside of transactions. */
const noTransaction = { transactionId: zeroId, transactionInBlock: 4_294_967_295 };

/** Applies the effects of a block to a copy of the state. @param now time of the block. */
export function applyEffects(before: ChainState, effects: readonly BlockEffect[], now: HiveTime): Applied {
  const state = before.copy();
  const operations: AppliedOperation[] = [];
  const emit = (operation: NamedOperation): void => {
    const operationInTransaction = operations.length + 1;
    operations.push({ ...noTransaction, operation, virtual: true, operationInTransaction });
  };
  for (const effect of effects) effect({ state, now, emit });
  return { state, operations };
}
