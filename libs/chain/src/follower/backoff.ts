/**
 * Pauses after successive errors: at most `firstMs`, doubling up to `maxMs`, each shortened at random by up to half so
 * that several followers do not retry at the same moment.
 */
export class Backoff {
  private doublings = 0;

  /** @param random returns a number from 0 to 1; replaced only in tests */
  constructor(
    private readonly firstMs: number,
    private readonly maxMs: number,
    private readonly random: () => number = Math.random,
  ) {}

  /** Returns the pause after an error, and doubles the next one. */
  nextMs(): number {
    const fullMs = Math.min(this.firstMs * 2 ** this.doublings, this.maxMs);
    // Bounded, since 2 ** 1024 is Infinity, and 0 * Infinity is no number.
    this.doublings = Math.min(this.doublings + 1, 32);
    return fullMs * (0.5 + this.random() / 2);
  }

  reset(): void {
    this.doublings = 0;
  }
}
