import { type AppliedOperation, type Block } from '../../chain/block';
import { type Dialect, write, writeOperation } from '../../dialect';

/** An operation of a block, with its id. */
export interface LocatedOperation extends AppliedOperation {
  readonly block: Block;
  /** The number of the block in the high 32 bits, the position in the block in the low ones. */
  readonly id: bigint;
}

export function operationsOf(block: Block): LocatedOperation[] {
  return block.operations.map((applied, index) => ({
    ...applied,
    block,
    id: (BigInt(block.number) << 32n) | BigInt(index),
  }));
}

/**
 * An operation as account_history_api and condenser_api write it.
 * @param operationId only enum_virtual_ops has it (account_history_api.cpp); the others write 0, and condenser_api
 * nothing.
 */
export function operationObject(located: LocatedOperation, dialect: Dialect, operationId = 0n): object {
  return {
    trx_id: located.transactionId,
    block: located.block.number,
    trx_in_block: located.transactionInBlock,
    op_in_trx: located.operationInTransaction,
    virtual_op: located.virtual,
    timestamp: located.block.timestamp,
    op: writeOperation(located.operation, dialect),
    ...(dialect === 'appbase' && { operation_id: write(operationId, dialect) }),
  };
}
