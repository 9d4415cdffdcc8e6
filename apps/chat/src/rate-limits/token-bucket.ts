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

  /** Whether there were so many to take; never more than the bucket holds. */
  take(nowMs: number, price = 1): boolean {
    const refillMs = nowMs - this.refilledAtMs;
    this.refilledAtMs = nowMs;
    this.tokens = Math.min(this.pace.burst, this.tokens + (refillMs * this.pace.perSecond) / 1_000);
    if (this.tokens < this.payable(price)) return false;
    this.tokens -= this.payable(price);
    return true;
  }

  /** When there will be so many again, after the last take. */
  missingForMs(price = 1): number {
    return Math.max(Math.ceil(((this.payable(price) - this.tokens) * 1_000) / this.pace.perSecond), 0);
  }

  private payable(price: number): number {
    return Math.min(price, this.pace.burst);
  }
}
