import { type NodeHead } from '@waggle/chain';

/** The heads of healthy nodes differ by less. */
const maxDifferenceBlocks = 20;

/**
 * Maximum age of the last report of a head, in milliseconds. Beyond it, the API is not ready, and the age counts as lag
 * of the index. Nodes are polled four times a second.
 */
const maxReportAgeMs = 10_000;

/** The head of the chain: the highest of the nodes whose heads agree. */
export class ChainHead {
  private highest = 0;
  private irreversible: number | undefined;
  private reportedAtMs = -Infinity;

  /** 0 until a node reports it. */
  get block(): number {
    return this.highest;
  }

  /** The last irreversible block; undefined until a node reports one. */
  get irreversibleBlock(): number | undefined {
    return this.irreversible;
  }

  /** Time since a node last reported its head, in milliseconds. */
  get reportAgeMs(): number {
    return performance.now() - this.reportedAtMs;
  }

  /** Whether a node reported its head within the last 10 s. */
  get hasRecentReport(): boolean {
    return this.reportAgeMs <= maxReportAgeMs;
  }

  /**
   * The head only grows, unless it is far beyond all nodes: then a node reported a wrong one.
   *
   * @param heads of all nodes that agree, at least one of them read just now
   */
  update(heads: readonly NodeHead[]): void {
    if (heads.length === 0) return;
    this.highest = updatedBlock(this.highest, Math.max(...heads.map(({ block }) => block)));
    this.irreversible = updatedBlock(this.irreversible ?? 0, Math.max(...heads.map((head) => head.irreversibleBlock)));
    this.reportedAtMs = performance.now();
  }
}

function updatedBlock(known: number, reported: number): number {
  return known - reported > maxDifferenceBlocks ? reported : Math.max(known, reported);
}
