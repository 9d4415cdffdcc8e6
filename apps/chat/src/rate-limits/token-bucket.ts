/** So much at once, and then so much in each second. */
export interface Pace {
  perSecond: number;
  burst: number;
}

/** Lets through so much at once as lies in it, and refills evenly. Times are in milliseconds of any one clock. */
export class TokenBucket {
  private tokens: number;

  constructor(
    private readonly pace: Pace,
    private refilledAtMs: number,
  ) {
    this.tokens = pace.burst;
  }

  /** Whether there was one to take. */
  take(nowMs: number): boolean {
    const refillMs = nowMs - this.refilledAtMs;
    this.refilledAtMs = nowMs;
    this.tokens = Math.min(this.pace.burst, this.tokens + (refillMs * this.pace.perSecond) / 1_000);
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }

  /** When there will be one again, after the last take. */
  get emptyForMs(): number {
    return Math.max(Math.ceil(((1 - this.tokens) * 1_000) / this.pace.perSecond), 0);
  }
}
