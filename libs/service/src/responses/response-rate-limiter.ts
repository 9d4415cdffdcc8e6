/** Bytes that a client may receive before the limit applies: a page loads several lists of up to 512 KiB when it opens. */
const minBurstBytes = 2 * 1024 * 1024;
/** Above this number of clients, those without a debt are removed. */
const sweepAbove = 10_000;

/**
 * Bounds the response bytes per second of a client: building them costs CPU time, 10 to 50 ms for a list of 512 KiB.
 * Bytes beyond the burst are a debt, and further requests are rejected until it is paid. (A leaky bucket.)
 */
export class ResponseRateLimiter {
  /** The bucket level of each client. */
  private readonly levels = new Map<string, { bytes: number; atMs: number }>();
  private readonly burstBytes: number;
  private sweepAt = sweepAbove;

  constructor(private readonly bytesPerSecond: number) {
    this.burstBytes = Math.max(minBurstBytes, 2 * bytesPerSecond);
  }

  charge(client: string, bytes: number, nowMs = performance.now()): void {
    this.levels.set(client, { bytes: this.levelOf(client, nowMs) + bytes, atMs: nowMs });
    if (this.levels.size > this.sweepAt) this.sweep(nowMs);
  }

  /** Milliseconds until the client may send the next request; 0 if it may now. */
  waitMs(client: string, nowMs?: number): number {
    // Most clients have no level, and reading the clock would be most of the cost.
    if (!this.levels.has(client)) return 0;
    const debtBytes = this.levelOf(client, nowMs ?? performance.now()) - this.burstBytes;
    return debtBytes > 0 ? (debtBytes * 1_000) / this.bytesPerSecond : 0;
  }

  private levelOf(client: string, nowMs: number): number {
    const level = this.levels.get(client);
    if (level === undefined) return 0;
    return Math.max(0, level.bytes - ((nowMs - level.atMs) * this.bytesPerSecond) / 1_000);
  }

  private sweep(nowMs: number): void {
    for (const client of this.levels.keys()) if (this.levelOf(client, nowMs) === 0) this.levels.delete(client);
    this.sweepAt = Math.max(sweepAbove, this.levels.size * 2);
  }
}
