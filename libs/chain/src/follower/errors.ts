import { type FollowedBlock, type FollowedOperation } from './followed-block';

/** Where in the chain the follower has stopped. */
export interface ChainPlace {
  readonly block: Pick<FollowedBlock, 'number' | 'id'>;
  readonly operation?: Pick<FollowedOperation, 'index' | 'type' | 'transactionId'>;
}

/** The follower cannot go on, and trying again would not help: it has stopped, and has skipped nothing. */
export class FatalChainError extends Error {
  override readonly name = 'FatalChainError';

  constructor(
    message: string,
    /** The block, and the operation where that is known, that could not be applied. */
    readonly place: ChainPlace | undefined,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
