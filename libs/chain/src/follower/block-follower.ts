import { type BlockFollowerOptions, type FollowerStatus } from './options';

/** Follows the irreversible blocks of the chain into a database. */
export class BlockFollower {
  constructor(private readonly options: BlockFollowerOptions) {}

  /**
   * Resolves when the signal is aborted, or the last block of a bounded range is applied.
   *
   * @throws FatalChainError
   */
  run(signal: AbortSignal): Promise<void> {
    return Promise.reject(new Error(`not yet: ${this.options.name} ${signal.aborted}`));
  }

  status(): FollowerStatus {
    return {
      role: 'waiting',
      headBlock: undefined,
      irreversibleBlock: undefined,
      processedBlock: undefined,
      processedBlockTime: undefined,
      processedAt: undefined,
      fault: undefined,
    };
  }
}
