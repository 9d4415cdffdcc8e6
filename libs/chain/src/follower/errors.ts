import { type FollowedOperation } from './followed-block';

/** The block, and if known the operation, where an error occurred. `id` is missing if the block could not be read. */
export interface ErrorPosition {
  readonly block: { readonly number: number; readonly id?: string };
  readonly operation?: Pick<FollowedOperation, 'index' | 'type' | 'transactionId' | 'isVirtual'>;
}

/**
 * The follower cannot continue, and a retry would not help: it stops, and skips nothing. If the database rejected a
 * value, it reads the block again first.
 */
export class FatalChainError extends Error {
  override readonly name = 'FatalChainError';

  constructor(
    message: string,
    /** The block and the operation at which the error occurred; undefined if it concerns no block. */
    readonly position: ErrorPosition | undefined,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** A handler failed on an operation, because of `cause`. */
export class OperationError extends Error {
  override readonly name = 'OperationError';

  constructor(
    readonly position: Required<ErrorPosition>,
    cause: unknown,
  ) {
    super(
      `Operation ${position.operation.index} (${position.operation.type}) of block ${position.block.number} could not be applied`,
      {
        cause,
      },
    );
  }
}

/**
 * A handler cannot decode the value of an operation. The follower reads the block again, preferably from another node.
 */
export class OperationFormatError extends Error {
  override readonly name = 'OperationFormatError';

  constructor(
    readonly position: Required<ErrorPosition>,
    cause: unknown,
  ) {
    const { block, operation } = position;
    super(
      `A node returns operation ${operation.index} (${operation.type}) of block ${block.number} in a format that the handler cannot decode`,
      {
        cause,
      },
    );
  }
}

/**
 * Most nodes have a different block with this number than the one that was read. The follower reads from its checkpoint
 * again.
 */
export class OutvotedBlockError extends Error {
  override readonly name = 'OutvotedBlockError';

  constructor(number: number, id: string) {
    super(`A node returned block ${number} as ${id}, and most nodes have another block with that number`);
  }
}
