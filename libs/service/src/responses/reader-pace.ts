/** How fast the reader of an export must be. */
export interface PaceLimits {
  readonly minBytesPerSecond: number;
  /** For how long the service waits for a reader of any speed. */
  readonly graceMs: number;
}

/**
 * A reader needs far more than 16 KiB/s to get a large export within `EXPORT_SECONDS`. At a lower limit it would be
 * cheap to occupy all exports of an instance with slow readers. Small exports are over before the grace period.
 */
const limitsOfExports: PaceLimits = { minBytesPerSecond: 16 * 1024, graceMs: 15_000 };

/**
 * Measures the average speed of the reader of one export since its start, over the time that the service waited for it.
 * Bytes count, uncompressed, when the response takes them from the stream: what fits into the buffers of the sockets
 * counts as read.
 */
export class ReaderPace {
  private takenBytes = 0;
  private waitedMs = 0;
  private waitingSinceMs: number | undefined;

  /** @param limits only tests need others */
  constructor(private readonly limits = limitsOfExports) {}

  /** Interval for checks of the pace, in milliseconds. */
  get checkIntervalMs(): number {
    return this.limits.graceMs / 15;
  }

  /** Passes pages on. A page is taken when the next one is requested. */
  async *measure(pages: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
    for await (const page of pages) {
      const sinceMs = performance.now();
      this.waitingSinceMs = sinceMs;
      yield page;
      this.waitingSinceMs = undefined;
      this.waitedMs += performance.now() - sinceMs;
      this.takenBytes += Buffer.byteLength(page);
    }
  }

  /** Whether the service waits for a reader that is too slow on average. */
  isTooSlow(): boolean {
    if (this.waitingSinceMs === undefined) return false;
    const waitedMs = this.waitedMs + performance.now() - this.waitingSinceMs;
    const minBytes = (this.limits.minBytesPerSecond * waitedMs) / 1_000;
    return waitedMs >= this.limits.graceMs && this.takenBytes < minBytes;
  }
}
