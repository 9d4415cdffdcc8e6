/** With more addresses than this, those whose period is over are forgotten. */
const sweepAbove = 10_000;

/**
 * Counts calls by address, in this process. `RateLimiter` does as much and answers by a promise, which took as long as all
 * else that is done for a call whose answer is known.
 */
export class CallLimit {
  private readonly periods = new Map<string, { endsAtMs: number; calls: number }>();
  private sweepAt = sweepAbove;
  private readonly periodMs: number;

  /** @param most calls of one address in each period, which begins with its first */
  constructor(
    private readonly most: number,
    periodSeconds: number,
  ) {
    this.periodMs = periodSeconds * 1_000;
  }

  /** @returns undefined where so many calls may be made, else in how many milliseconds the address may call again */
  count(address: string, calls: number, nowMs = performance.now()): number | undefined {
    let period = this.periods.get(address);
    if (period === undefined || nowMs >= period.endsAtMs) {
      period = { endsAtMs: nowMs + this.periodMs, calls: 0 };
      this.periods.set(address, period);
      if (this.periods.size > this.sweepAt) this.sweep(nowMs);
    }
    period.calls += calls;
    return period.calls <= this.most ? undefined : period.endsAtMs - nowMs;
  }

  private sweep(nowMs: number): void {
    for (const [address, { endsAtMs }] of this.periods) if (nowMs >= endsAtMs) this.periods.delete(address);
    this.sweepAt = Math.max(sweepAbove, this.periods.size * 2);
  }
}
