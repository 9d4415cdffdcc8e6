/** Further ahead than healthy nodes are of one another. */
const wrongByBlocks = 20;

/** The head of the chain, as far as any node is known to be. */
export class ChainHead {
  private highest = 0;
  private toldAtMs = -Infinity;

  /** Number of the highest block that a node has told of; 0 before the first. */
  get block(): number {
    return this.highest;
  }

  /** A node has said that this is its head. */
  sawBlock(block: number): void {
    this.highest = Math.max(this.highest, block);
    this.toldAtMs = performance.now();
  }

  /** The nodes that are well are no further than this: whoever has told of a block far beyond it was wrong. */
  isNotBeyond(block: number): void {
    if (this.highest - block > wrongByBlocks) this.highest = block;
  }

  /** How long ago a node last said where it is, in milliseconds. */
  get ageMs(): number {
    return performance.now() - this.toldAtMs;
  }
}
