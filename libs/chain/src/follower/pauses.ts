/** Pauses that double from one fault to the next, each of them shortened by chance, so that many who wait do not come at once. */
export class Pauses {
  private faults = 0;

  /** @param random a number from 0 to 1; only tests need another. */
  constructor(
    private readonly firstMs: number,
    private readonly longestMs: number,
    private readonly random: () => number = Math.random,
  ) {}

  /** The pause after a further fault. */
  next(): number {
    const fullMs = Math.min(this.firstMs * 2 ** this.faults, this.longestMs);
    // 2 ** 1024 is Infinity, and what is multiplied by it too; long before, the longest pause is reached.
    this.faults = Math.min(this.faults + 1, 32);
    return fullMs * (0.5 + this.random() / 2);
  }

  reset(): void {
    this.faults = 0;
  }
}
