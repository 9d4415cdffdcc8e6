/** Where a node is on the chain. */
export interface NodeHead {
  readonly block: number;
  readonly irreversibleBlock: number;
}

/** Healthy nodes differ by less. */
const maxDifferenceBlocks = 20;

/** The head of the chain: the highest that any node has reported. */
export class ChainHead {
  private highest = 0;
  private irreversible: number | undefined;
  private reportedAtMs = -Infinity;

  /** 0 until a node has reported it. */
  get block(): number {
    return this.highest;
  }

  /** Undefined until a node has reported it. */
  get irreversibleBlock(): number | undefined {
    return this.irreversible;
  }

  report({ block, irreversibleBlock }: NodeHead): void {
    this.highest = Math.max(this.highest, block);
    this.irreversible = Math.max(this.irreversible ?? 0, irreversibleBlock);
    this.reportedAtMs = performance.now();
  }

  /** Corrects a head that is far beyond those of the healthy nodes: a node has reported a wrong one. */
  limitTo(healthy: readonly NodeHead[]): void {
    if (healthy.length === 0) return;
    const block = Math.max(...healthy.map((head) => head.block));
    if (this.highest - block > maxDifferenceBlocks) this.highest = block;
    const irreversible = Math.max(...healthy.map((head) => head.irreversibleBlock));
    if ((this.irreversible ?? 0) - irreversible > maxDifferenceBlocks) this.irreversible = irreversible;
  }

  /** Since a node last reported its head. */
  get ageMs(): number {
    return performance.now() - this.reportedAtMs;
  }
}
