/** Time in which an observation loses two thirds of its weight, in milliseconds (Finagle's default). */
const decayMs = 10_000;

/** Time without an observation after which the next one replaces the average, in milliseconds. */
const staleMs = 5_000;

/**
 * Exponentially weighted moving average of latencies that rises at once to a peak and falls slowly (Finagle's "peak
 * EWMA"). It decays also without observations, so that a node that was slow is used again after a while.
 */
export class PeakLatency {
  private averageMs = 0;
  private atMs = -Infinity;

  observe(latencyMs: number, nowMs: number): void {
    const averageMs = this.estimateMs(nowMs);
    const weight = Math.exp((this.atMs - nowMs) / decayMs);
    const isNew = latencyMs >= averageMs || nowMs - this.atMs >= staleMs;
    this.averageMs = isNew ? latencyMs : this.averageMs * weight + latencyMs * (1 - weight);
    this.atMs = nowMs;
  }

  estimateMs(nowMs: number): number {
    return this.averageMs * Math.exp((this.atMs - nowMs) / decayMs);
  }

  /** Whether there was an observation, and the last one is long ago. */
  isStale(nowMs: number): boolean {
    return this.averageMs > 0 && nowMs - this.atMs >= staleMs;
  }
}
