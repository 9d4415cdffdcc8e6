/** The rate and the capacity of a token bucket. */
export interface Pace {
  perSecond: number;
  burst: number;
}

/**
 * A token bucket that refills continuously. A price that is charged afterwards may bring it into debt; then nothing can
 * be charged until the debt is paid. All times are in milliseconds of the same clock.
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
   * Takes the tokens of a price, at most the capacity of the bucket. @returns whether there were enough
   * @param alreadyPaid the part of the price that was charged before
   */
  charge(nowMs: number, price = 1, alreadyPaid = 0): boolean {
    this.refill(nowMs);
    const due = this.payable(price) - this.payable(alreadyPaid);
    if (this.tokens < due) return false;
    this.tokens -= due;
    return true;
  }

  /** Charges a price that was not known before, even if there are too few tokens. */
  chargeAfterwards(nowMs: number, price: number): void {
    this.refill(nowMs);
    this.tokens -= price;
  }

  /** Returns the time until a price can be charged. */
  affordableInMs(nowMs: number, price: number): number {
    this.refill(nowMs);
    return this.missingForMs(price);
  }

  /** Whether the bucket is full. */
  isFull(nowMs: number): boolean {
    return this.affordableInMs(nowMs, this.pace.burst) === 0;
  }

  /** Returns the time after the last charge until a price can be charged. */
  missingForMs(price = 1): number {
    return Math.max(Math.ceil(((this.payable(price) - this.tokens) * 1_000) / this.pace.perSecond), 0);
  }

  private refill(nowMs: number): void {
    const refillMs = nowMs - this.refilledAtMs;
    this.refilledAtMs = nowMs;
    this.tokens = Math.min(this.pace.burst, this.tokens + (refillMs * this.pace.perSecond) / 1_000);
  }

  private payable(price: number): number {
    return Math.min(price, this.pace.burst);
  }
}
