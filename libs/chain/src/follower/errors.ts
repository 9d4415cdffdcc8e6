import { z } from 'zod';
import { type FollowedOperation } from './followed-block';

/** A place in the chain. */
export interface ChainPlace {
  readonly block: { readonly number: number; readonly id?: string };
  readonly operation?: Pick<FollowedOperation, 'index' | 'type' | 'transactionId'>;
}

/** The follower cannot go on, and trying again would not help: it has stopped, and has skipped nothing. */
export class FatalChainError extends Error {
  override readonly name = 'FatalChainError';

  constructor(
    message: string,
    /** The block, and the operation where that is known, with which it could not go on. */
    readonly place: ChainPlace | undefined,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** An operation could not be applied, for the reason that is its cause. */
export class OperationError extends Error {
  override readonly name = 'OperationError';

  constructor(
    readonly place: Required<ChainPlace>,
    cause: unknown,
  ) {
    super(`${place.operation.type} ${place.operation.index} of block ${place.block.number} could not be applied`, {
      cause,
    });
  }

  /** Whether its value has another shape than the handler expects: another node may write it otherwise. */
  get isOfShape(): boolean {
    return this.cause instanceof z.ZodError;
  }
}
