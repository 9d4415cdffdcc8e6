/** Blocks per call: halved after an error, because a shorter response may come in time, and doubled after a success. */
export class BlocksPerCall {
  private blocks: number;

  constructor(private readonly max: number) {
    this.blocks = max;
  }

  get current(): number {
    return this.blocks;
  }

  shrink(): void {
    this.blocks = Math.max(1, Math.floor(this.blocks / 2));
  }

  grow(): void {
    this.blocks = Math.min(this.blocks * 2, this.max);
  }
}
