import { type FollowedOperation } from './followed-block';

/** A position in the chain. */
export interface ChainPosition {
  readonly block: { readonly number: number; readonly id?: string };
  readonly operation?: Pick<FollowedOperation, 'index' | 'type' | 'transactionId' | 'isVirtual'>;
}

/** The follower cannot continue, and a retry would not help: it has stopped, and has skipped nothing. */
export class FatalChainError extends Error {
  override readonly name = 'FatalChainError';

  constructor(
    message: string,
    /** The block, and if known the operation, at which it stopped. */
    readonly position: ChainPosition | undefined,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** An operation could not be applied, for the reason that is its cause. */
export class OperationError extends Error {
  override readonly name = 'OperationError';

  constructor(
    readonly position: Required<ChainPosition>,
    cause: unknown,
  ) {
    super(
      `${position.operation.type} ${position.operation.index} of block ${position.block.number} could not be applied`,
      {
        cause,
      },
    );
  }
}

/** The value of an operation is not in the format that its handler decodes; another node may return it in that format. */
export class OperationFormatError extends Error {
  override readonly name = 'OperationFormatError';

  constructor(
    readonly position: Required<ChainPosition>,
    cause: unknown,
  ) {
    const { block, operation } = position;
    super(
      `A node returns ${operation.type} ${operation.index} of block ${block.number} in a format that the handler cannot decode`,
      {
        cause,
      },
    );
  }
}

/** The majority of the nodes has another block than the one that was read: the blocks since the checkpoint have to be read again. */
export class OutvotedBlockError extends Error {
  override readonly name = 'OutvotedBlockError';

  constructor(number: number, id: string) {
    super(`A node returned block ${number} as ${id}, and most nodes have another block with that number`);
  }
}
