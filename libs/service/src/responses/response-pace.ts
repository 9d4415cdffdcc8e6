/** Bytes that a client gets at once before the pace counts: a page that opens loads several lists, each of up to 1 MiB. */
const minBurstBytes = 4 * 1024 * 1024;
/** With more clients than this, those that owe nothing are forgotten. */
const sweepAbove = 10_000;

/**
 * Bounds the bytes of responses that a client gets per second: building them costs processor time, 20 to 100 ms for a list of
 * 1 MiB. What a client got beyond its burst is a debt, and until it is paid further requests are refused.
 */
export class ResponsePace {
  /** What each client got lately, less what its pace has paid since. */
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

  /** How long until the client may ask again, in milliseconds; 0 if it may now. */
  waitMs(client: string, nowMs?: number): number {
    // Most clients have no level. Reading the clock is felt in so small a thing.
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
