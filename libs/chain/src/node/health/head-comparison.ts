/** The head of a node as the node reports it. */
export interface ReportedHead {
  readonly block: number;
  /** The time of the head block. */
  readonly timeMs: number;
}

/**
 * - `current`: agrees with the other nodes
 * - `lagging`: old by the clock, and behind the other nodes
 * - `ahead`: in the future, or farther ahead of the other nodes than the chain can be
 */
export type HeadPosition = 'current' | 'lagging' | 'ahead';

/** The block interval of Hive, in milliseconds. */
const blockIntervalMs = 3_000;

/** The clocks of nodes and ours differ by less, in milliseconds. */
const maxClockErrorMs = 60_000;

/**
 * Compares the heads of nodes with one another and with the clock, so that a node that only claims a far head makes no
 * other node lag. Heads that are recent by the clock differ by few blocks. The reference is their lower median, so that
 * one of three nodes, or the higher one of two, cannot shift it. If no head is recent (the chain stands still), the
 * reference is the highest one. If all are in the future (our clock is wrong), they are compared with one another
 * alone.
 *
 * @param maxLagBlocks how far heads may be apart
 * @returns the position of each head, in the order of `heads`
 */
export function compareHeads(heads: readonly ReportedHead[], maxLagBlocks: number, nowMs = Date.now()): HeadPosition[] {
  const oldestMs = nowMs - maxLagBlocks * blockIntervalMs;
  const past = heads.filter(({ timeMs }) => timeMs <= nowMs + maxClockErrorMs);
  const plausible = past.length > 0 ? past : heads;
  const recent = plausible.filter(({ timeMs }) => timeMs >= oldestMs);
  const reference = recent.length > 0 ? lowerMedian(recent) : Math.max(...plausible.map(({ block }) => block));
  return heads.map((head) => {
    if (!plausible.includes(head) || head.block - reference > maxLagBlocks) return 'ahead';
    return reference - head.block > maxLagBlocks && head.timeMs < oldestMs ? 'lagging' : 'current';
  });
}

function lowerMedian(heads: readonly ReportedHead[]): number {
  const blocks = heads.map(({ block }) => block).sort((one, other) => one - other);
  return blocks[Math.floor((blocks.length - 1) / 2)] ?? 0;
}
