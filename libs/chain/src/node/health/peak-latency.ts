/** Time in which an observation loses two thirds of its weight, in milliseconds (Finagle's default). */
const decayMs = 10_000;

/**
 * If the last observation is at least this old, in milliseconds, the next one replaces the average. A slow node is
 * called again after this time, and that one call should show whether it is fast now.
 */
const staleMs = 5_000;

/**
 * Moving average of latencies that follows a rise at once and a fall slowly (Finagle's "peak EWMA"). The estimate also
 * decays between observations, so that a slow node is tried again after a while. All times are of one monotonic clock.
 */
export class PeakLatency {
  /** The average at the time of the last observation. */
  private averageMs = 0;
  /** The time of the last observation; undefined before the first one. */
  private observedAtMs: number | undefined;

  /** Adds the latency of a call that ends now. */
  observe(latencyMs: number, nowMs: number): void {
    const weight = this.weightAt(nowMs);
    const decayedMs = this.averageMs * weight;
    const replacesAverage = latencyMs >= decayedMs || this.isStale(nowMs);
    this.averageMs = replacesAverage ? latencyMs : decayedMs + latencyMs * (1 - weight);
    this.observedAtMs = nowMs;
  }

  /** Returns the expected latency of a call that starts now; 0 before the first observation. */
  estimateMs(nowMs: number): number {
    return this.averageMs * this.weightAt(nowMs);
  }

  /** Whether the last observation is at least `staleMs` old; false before the first one. */
  isStale(nowMs: number): boolean {
    return this.observedAtMs !== undefined && nowMs - this.observedAtMs >= staleMs;
  }

  /** Returns the weight that the average still has, from 1 to 0. */
  private weightAt(nowMs: number): number {
    return this.observedAtMs === undefined ? 0 : Math.exp((this.observedAtMs - nowMs) / decayMs);
  }
}
