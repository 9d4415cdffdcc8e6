/** The head of a node as the node reports it. */
export interface ReportedHead {
  readonly block: number;
  /** The time of the head block. */
  readonly timeMs: number;
}

/**
 * - `current`: neither of the below
 * - `lagging`: old by the clock, and more than `maxLagBlocks` behind the highest head that is possible
 * - `ahead`: impossible, because it is in the future, or the chain cannot have so many blocks yet
 */
export type HeadPosition = 'current' | 'lagging' | 'ahead';

/** The block interval of Hive, in milliseconds. */
const blockIntervalMs = 3_000;

/** Maximum difference between the clock of a node and ours, in milliseconds. */
const maxClockErrorMs = 60_000;

/**
 * Compares the heads of nodes with one another and with the clock, so that a node that claims a far head does not make
 * the others count as lagging. A claim that is possible is believed, even if all others are behind: the only node that
 * does not lag looks the same.
 *
 * @param maxLagBlocks how far a head may be behind, or above what the others allow; times the block interval, the age
 * after which a head is old
 * @returns the position of each head, in the order of `heads`
 */
export function compareHeads(heads: readonly ReportedHead[], maxLagBlocks: number, nowMs = Date.now()): HeadPosition[] {
  if (heads.length === 0) return [];
  const possible = possibleHeads(heads, maxLagBlocks, nowMs);
  const highestBlock = Math.max(...possible.map(({ block }) => block));
  const recentSinceMs = nowMs - maxLagBlocks * blockIntervalMs;
  return heads.map((head) => {
    if (!possible.includes(head)) return 'ahead';
    const isBehind = highestBlock - head.block > maxLagBlocks;
    return isBehind && head.timeMs < recentSinceMs ? 'lagging' : 'current';
  });
}

/**
 * Returns the heads that are not in the future, and not above what the others allow. If all are in the future, our
 * clock is wrong: then only the blocks are compared.
 *
 * A head allows one more block for each interval since its time. The lower median of what all heads allow is the limit,
 * so that one of three nodes, or the higher one of two, cannot raise it.
 */
function possibleHeads(heads: readonly ReportedHead[], maxLagBlocks: number, nowMs: number): readonly ReportedHead[] {
  const notFuture = heads.filter(({ timeMs }) => timeMs <= nowMs + maxClockErrorMs);
  const compared = notFuture.length > 0 ? notFuture : heads;
  const allowedBlock = lowerMedian(
    compared.map(({ block, timeMs }) => block + Math.max(0, nowMs - timeMs) / blockIntervalMs),
  );
  return compared.filter(({ block }) => block - allowedBlock <= maxLagBlocks);
}

function lowerMedian(blocks: readonly number[]): number {
  const median = blocks.toSorted((one, other) => one - other)[Math.floor((blocks.length - 1) / 2)];
  if (median === undefined) throw new Error('there is no median of no blocks');
  return median;
}
