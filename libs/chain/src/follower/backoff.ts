/** Pauses that double with each error, with jitter, so that many clients do not retry at the same moment. */
export class Backoff {
  private errors = 0;

  /** @param random a number from 0 to 1; only tests need another source. */
  constructor(
    private readonly firstMs: number,
    private readonly longestMs: number,
    private readonly random: () => number = Math.random,
  ) {}

  /** The pause after a further error. */
  next(): number {
    const fullMs = Math.min(this.firstMs * 2 ** this.errors, this.longestMs);
    // 2 ** 1024 would be Infinity; the longest pause is reached long before.
    this.errors = Math.min(this.errors + 1, 32);
    return fullMs * (0.5 + this.random() / 2);
  }

  reset(): void {
    this.errors = 0;
  }
}
