import { ChatError } from '../errors';
import { RateLimitExceeded } from './rate-limit-exceeded';
import { TokenBucket, type Pace } from './token-bucket';

/** A sender with this many rejected frames within the period ignores `retry_after_ms`: its connection is closed. */
const maxRejected = 200;
export const rejectionPeriodMs = 10_000;

/** The frames that one account or connection may send. */
export class FrameAllowance {
  private readonly bucket: TokenBucket;
  private rejected = 0;

  constructor(
    pace: Pace,
    private periodStartMs: number,
  ) {
    this.bucket = new TokenBucket(pace, periodStartMs);
  }

  /**
   * @param paid how much of the price was taken before; a retry pays it again
   * @throws ServiceError `rate-limited`, of the class RateLimitExceeded for a sender that goes on regardless
   */
  take(nowMs: number, price: number, paid: number) {
    if (this.bucket.take(nowMs, price, paid)) return;
    if (nowMs - this.periodStartMs >= rejectionPeriodMs) {
      this.rejected = 0;
      this.periodStartMs = nowMs;
    }
    this.rejected += 1;
    const retryAfterMs = this.bucket.missingForMs(price);
    if (this.rejected >= maxRejected) throw new RateLimitExceeded('too many frames for too long', retryAfterMs);
    throw new ChatError('rate-limited', 'too many frames; this one was not handled', { retryAfterMs });
  }

  /** Takes a price that was not known before; what comes next waits until it is paid. */
  chargeAfterwards(nowMs: number, price: number) {
    this.bucket.chargeAfterwards(nowMs, price);
  }

  /** Returns the time until a frame of this price is accepted, in milliseconds. */
  affordableInMs(nowMs: number, price: number): number {
    return this.bucket.affordableInMs(nowMs, price);
  }

  /** Whether it is the same as a new allowance: nothing is spent, and no rejection counts any longer. */
  isWhole(nowMs: number): boolean {
    return this.bucket.isFull(nowMs) && nowMs - this.periodStartMs >= rejectionPeriodMs;
  }
}
