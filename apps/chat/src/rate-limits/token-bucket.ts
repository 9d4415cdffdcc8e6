/** So much at once, and then so much in each second. */
export interface Pace {
  perSecond: number;
  burst: number;
}

/**
 * Lets through so much at once as lies in it, and refills evenly. It goes into debt for what is charged afterwards; then it lets
 * nothing through until it is refilled. Times are in milliseconds of any one clock.
 */
export class TokenBucket {
  private tokens: number;

  constructor(
    private readonly pace: Pace,
    private refilledAtMs: number,
  ) {
    this.tokens = pace.burst;
  }

  /**
   * Whether there were so many to take; never more than the bucket holds.
   * @param paid how many of them were taken before
   */
  take(nowMs: number, price = 1, paid = 0): boolean {
    this.refill(nowMs);
    const due = this.payable(price) - this.payable(paid);
    if (this.tokens < due) return false;
    this.tokens -= due;
    return true;
  }

  /** Takes a price that was not known before, whether there are so many tokens or not. */
  chargeAfterwards(nowMs: number, price: number) {
    this.refill(nowMs);
    this.tokens -= price;
  }

  /** How long until it lets a price through. */
  affordableInMs(nowMs: number, price: number): number {
    this.refill(nowMs);
    return this.missingForMs(price);
  }

  /** Whether it holds as much as it can. */
  isFull(nowMs: number): boolean {
    return this.affordableInMs(nowMs, this.pace.burst) === 0;
  }

  /** When there will be so many again, after the last take. */
  missingForMs(price = 1): number {
    return Math.max(Math.ceil(((this.payable(price) - this.tokens) * 1_000) / this.pace.perSecond), 0);
  }

  private refill(nowMs: number) {
    const refillMs = nowMs - this.refilledAtMs;
    this.refilledAtMs = nowMs;
    this.tokens = Math.min(this.pace.burst, this.tokens + (refillMs * this.pace.perSecond) / 1_000);
  }

  private payable(price: number): number {
    return Math.min(price, this.pace.burst);
  }
}
