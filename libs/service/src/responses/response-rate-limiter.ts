/**
 * Bytes that a client may receive before the limit applies: a page loads several lists of up to 512 KiB when it opens.
 */
const minBurstBytes = 2 * 1024 * 1024;
/** Above this number of clients, those without a debt are removed. */
const sweepAbove = 10_000;

/**
 * Bounds the response bytes per second of a client: building them costs CPU time, 10 to 50 ms for a list of 512 KiB.
 * Bytes beyond the burst are a debt, and further requests are rejected until it is paid. (A leaky bucket.)
 */
export class ResponseRateLimiter {
  /** The bucket of each client. */
  private readonly buckets = new Map<string, Bucket>();
  private sweepAt = sweepAbove;

  constructor(private readonly bytesPerSecond: number) {}

  /** @param bytesPerSecond of this client; by default as for all */
  charge(
    client: string,
    bytes: number,
    { bytesPerSecond = this.bytesPerSecond, nowMs = performance.now() } = {},
  ): void {
    this.buckets.set(client, { bytes: this.levelOf(client, nowMs) + bytes, atMs: nowMs, bytesPerSecond });
    if (this.buckets.size > this.sweepAt) this.sweep(nowMs);
  }

  /** Milliseconds until the client may send the next request; 0 if it may now. */
  waitMs(client: string, nowMs?: number): number {
    const bucket = this.buckets.get(client);
    // Most clients have none, and reading the clock would be most of the cost.
    if (bucket === undefined) return 0;
    const { bytesPerSecond } = bucket;
    const debtBytes = levelOf(bucket, nowMs ?? performance.now()) - Math.max(minBurstBytes, 2 * bytesPerSecond);
    return debtBytes > 0 ? (debtBytes * 1_000) / bytesPerSecond : 0;
  }

  private levelOf(client: string, nowMs: number): number {
    const bucket = this.buckets.get(client);
    return bucket === undefined ? 0 : levelOf(bucket, nowMs);
  }

  private sweep(nowMs: number): void {
    for (const [client, bucket] of this.buckets) if (levelOf(bucket, nowMs) === 0) this.buckets.delete(client);
    this.sweepAt = Math.max(sweepAbove, this.buckets.size * 2);
  }
}

/** What a client received up to a time, less what its rate allowed. */
interface Bucket {
  bytes: number;
  atMs: number;
  bytesPerSecond: number;
}

function levelOf({ bytes, atMs, bytesPerSecond }: Bucket, nowMs: number): number {
  return Math.max(0, bytes - ((nowMs - atMs) * bytesPerSecond) / 1_000);
}
