import { type Client } from '@waggle/service';

const limit = 'calls-per-minute';
/** Above this number of clients, clients whose period has ended are removed. */
const sweepAbove = 10_000;

/**
 * Limits the calls of each client, in this process. `RateLimiter` does the same but returns a promise, which doubled
 * the time of a call whose response is cached.
 */
export class CallRateLimiter {
  private readonly periods = new Map<string, { endsAtMs: number; calls: number }>();
  private sweepAt = sweepAbove;
  private readonly periodMs: number;

  /** @param maxCalls of a client in each period, unless it has its own limit; a period begins with the first call */
  constructor(
    private readonly maxCalls: number,
    periodSeconds: number,
  ) {
    this.periodMs = periodSeconds * 1_000;
  }

  /**
   * Counts calls unless they exceed the limit.
   *
   * @returns undefined if they are within the limit, otherwise the milliseconds until the next period
   */
  count(client: Client, calls: number, nowMs = performance.now()): number | undefined {
    const key = client.keyFor(limit);
    let period = this.periods.get(key);
    if (period === undefined || nowMs >= period.endsAtMs) {
      period = { endsAtMs: nowMs + this.periodMs, calls: 0 };
      this.periods.set(key, period);
      if (this.periods.size > this.sweepAt) this.sweep(nowMs);
    }
    if (period.calls + calls > (client.maxOf(limit) ?? this.maxCalls)) return period.endsAtMs - nowMs;
    period.calls += calls;
    return undefined;
  }

  private sweep(nowMs: number): void {
    for (const [key, { endsAtMs }] of this.periods) if (nowMs >= endsAtMs) this.periods.delete(key);
    this.sweepAt = Math.max(sweepAbove, this.periods.size * 2);
  }
}
