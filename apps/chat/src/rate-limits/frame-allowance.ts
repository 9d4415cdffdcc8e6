import { ChatError } from '../errors';
import { RateLimitExceeded } from './rate-limit-exceeded';
import { TokenBucket, type Pace } from './token-bucket';

/** Who has so many frames refused within the period does not heed `retry_after_ms`. */
const maxRejected = 200;
export const rejectionPeriodMs = 10_000;

/** How many frames somebody may send. */
export class FrameAllowance {
  private readonly bucket: TokenBucket;
  private refused = 0;

  constructor(
    pace: Pace,
    private refusedSinceMs: number,
  ) {
    this.bucket = new TokenBucket(pace, refusedSinceMs);
  }

  /**
   * @param paid how much of the price was taken before; a retry pays it again
   * @throws ServiceError `rate-limited`, of the class RateLimitExceeded for those who go on all the same
   */
  take(nowMs: number, price: number, paid: number) {
    if (this.bucket.take(nowMs, price, paid)) return;
    if (nowMs - this.refusedSinceMs >= rejectionPeriodMs) {
      this.refused = 0;
      this.refusedSinceMs = nowMs;
    }
    this.refused += 1;
    const retryAfterMs = this.bucket.missingForMs(price);
    if (this.refused >= maxRejected) throw new RateLimitExceeded('too many frames for too long', retryAfterMs);
    throw new ChatError('rate-limited', 'too many frames; this one was not handled', { retryAfterMs });
  }

  /** Takes a price that was not known before; what comes next waits until it is paid. */
  chargeAfterwards(nowMs: number, price: number) {
    this.bucket.chargeAfterwards(nowMs, price);
  }

  /** How long until a frame of the price would be let through, in milliseconds. */
  affordableInMs(nowMs: number, price: number): number {
    return this.bucket.affordableInMs(nowMs, price);
  }

  /** Whether a new allowance would be the same: nothing is spent, and no refusal counts any more. */
  isWhole(nowMs: number): boolean {
    return this.bucket.isFull(nowMs) && nowMs - this.refusedSinceMs >= rejectionPeriodMs;
  }
}
