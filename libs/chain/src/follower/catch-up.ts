import { type ObservedStatus } from './follower-observer';

/** The progress of a follower that has many blocks to apply. */
export interface CatchUpProgress {
  readonly block: number;
  readonly target: number;
  readonly remainingBlocks: number;
  readonly blocksPerSecond: number;
  /** Expected time until the follower has caught up; undefined while no block is applied. */
  readonly etaSeconds: number | undefined;
}

/** A follower with fewer blocks to apply keeps up with the chain. */
const minRemainingBlocks = 20;

/**
 * Returns how far a follower has caught up; undefined if it keeps up with the chain, or does not know the chain yet.
 */
export function catchUpProgress(status: ObservedStatus): CatchUpProgress | undefined {
  const { irreversibleBlock, processedBlock: block, endBlock, blocksPerSecond } = status;
  if (irreversibleBlock === undefined || block === undefined) return undefined;
  const target = Math.min(irreversibleBlock, endBlock);
  const remainingBlocks = target - block;
  if (remainingBlocks < minRemainingBlocks) return undefined;
  const etaSeconds = blocksPerSecond > 0 ? remainingBlocks / blocksPerSecond : undefined;
  return { block, target, remainingBlocks, blocksPerSecond, etaSeconds };
}
