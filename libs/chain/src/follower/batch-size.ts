/** How many blocks are asked for at once: less after a fault, since a smaller answer may come in time, and soon as many again. */
export class BatchSize {
  private blocks: number;

  constructor(private readonly most: number) {
    this.blocks = most;
  }

  get current(): number {
    return this.blocks;
  }

  shrink(): void {
    this.blocks = Math.max(1, Math.floor(this.blocks / 2));
  }

  grow(): void {
    this.blocks = Math.min(this.blocks * 2, this.most);
  }
}
