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

  /** How long ago a node last said where it is, in milliseconds. */
  get ageMs(): number {
    return performance.now() - this.toldAtMs;
  }
}
