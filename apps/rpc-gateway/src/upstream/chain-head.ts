import { type NodeHead } from '@waggle/chain';

/** Healthy nodes differ by less. */
const maxDifferenceBlocks = 20;

/**
 * With an older report the API is not ready, and its age counts as lag of the index. Nodes are polled four times a
 * second.
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

  /** Undefined until a node reports it. */
  get irreversibleBlock(): number | undefined {
    return this.irreversible;
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

  /** Since a node last reported its head. */
  get reportAgeMs(): number {
    return performance.now() - this.reportedAtMs;
  }

  /** Whether a node reported its head within the last 10 s. */
  get hasRecentReport(): boolean {
    return this.reportAgeMs <= maxReportAgeMs;
  }
}

function updatedBlock(known: number, reported: number): number {
  return known - reported > maxDifferenceBlocks ? reported : Math.max(known, reported);
}
