import { ChatError, RateLimitExceeded } from '../errors';
import { TokenBucket, type Pace } from './token-bucket';

/** A sender with this many rejected frames within the period ignores `retry_after_ms`: its connection is closed. */
const maxRejected = 200;
const rejectionPeriodMs = 10_000;

/** Burst of a connection that has not authenticated yet. */
const anonymousBurst = 20;

/** A connection, which pays from the allowance of its account or, before it has authenticated, from one of its own. */
export interface Payer {
  readonly authentication: { readonly account: string } | undefined;
}

/**
 * Limits the frames of each account at this instance, over all its connections, and the frames of each connection that
 * has not authenticated. `FRAMES_PER_SECOND` and `FRAMES_BURST` (config.ts) set the pace.
 *
 * It does not use the library of the other limits, which needs a promise per use and a timer per key: this runs for
 * every frame.
 */
export class FrameLimits {
  /** The accounts that have sent a frame since the last rotation (`rotate`). */
  private recent = new Map<string, FrameAllowance>();
  /** The accounts that sent their last frame between the last two rotations. */
  private earlier = new Map<string, FrameAllowance>();
  private rotatedAtMs: number;
  /**
   * Time between rotations. An allowance without debt that is not used for this long equals a new one, so it can be
   * forgotten.
   */
  private readonly rotationPeriodMs: number;
  private readonly anonymous = new WeakMap<Payer, FrameAllowance>();
  private readonly anonymousPace: Pace;

  constructor(
    private readonly pace: Pace,
    nowMs = performance.now(),
  ) {
    this.rotatedAtMs = nowMs;
    this.rotationPeriodMs = Math.max((pace.burst * 1_000) / pace.perSecond, rejectionPeriodMs);
    this.anonymousPace = { ...pace, burst: Math.min(pace.burst, anonymousBurst) };
  }

  /** Number of tracked accounts: those that have sent a frame since the rotation before the last one. */
  get size(): number {
    return this.recent.size + this.earlier.size;
  }

  /**
   * Charges for a frame.
   *
   * @param payer a connection, or the name of an account
   * @param price how many plain frames it counts for; at most `burst` of them are charged
   * @param alreadyPaid the part of the price that was charged before the whole price was known
   * @throws ChatError `rate-limited`, of the class RateLimitExceeded if the connection is to be closed
   */
  charge(payer: Payer | string, { price = 1, alreadyPaid = 0, nowMs = performance.now() } = {}): void {
    const allowance = this.allowanceOf(payer, nowMs);
    if (!allowance.charge(nowMs, price, alreadyPaid)) throw allowance.rejection(nowMs, price);
  }

  /**
   * Charges for work that is done and whose price was not known before: later frames wait until it is paid. Never
   * throws.
   */
  chargeAfterwards(payer: Payer | string, price: number, nowMs = performance.now()): void {
    this.allowanceOf(payer, nowMs).chargeAfterwards(nowMs, price);
  }

  /** Returns the time until a frame of this price is accepted, in milliseconds. */
  affordableInMs(payer: Payer | string, price: number, nowMs = performance.now()): number {
    return this.allowanceOf(payer, nowMs).affordableInMs(nowMs, price);
  }

  private allowanceOf(payer: Payer | string, nowMs: number): FrameAllowance {
    if (typeof payer === 'string') return this.ofAccount(payer, nowMs);
    const { authentication } = payer;
    return authentication === undefined
      ? this.ofAnonymous(payer, nowMs)
      : this.ofAccount(authentication.account, nowMs);
  }

  private ofAccount(account: string, nowMs: number): FrameAllowance {
    if (nowMs - this.rotatedAtMs >= this.rotationPeriodMs) this.rotate(nowMs);
    const known = this.recent.get(account);
    if (known !== undefined) return known;
    const allowance = this.earlier.get(account) ?? new FrameAllowance(this.pace, nowMs);
    this.earlier.delete(account);
    this.recent.set(account, allowance);
    return allowance;
  }

  /** Forgets accounts that have sent nothing since the last rotation, unless they are in debt. */
  private rotate(nowMs: number): void {
    for (const [account, allowance] of this.earlier) if (!allowance.isReset(nowMs)) this.recent.set(account, allowance);
    this.earlier = this.recent;
    this.recent = new Map();
    this.rotatedAtMs = nowMs;
  }

  private ofAnonymous(payer: Payer, nowMs: number): FrameAllowance {
    const known = this.anonymous.get(payer);
    if (known !== undefined) return known;
    const allowance = new FrameAllowance(this.anonymousPace, nowMs);
    this.anonymous.set(payer, allowance);
    return allowance;
  }
}

/** The frames that one account or connection may send. */
class FrameAllowance extends TokenBucket {
  private rejected = 0;

  constructor(
    pace: Pace,
    private periodStartMs: number,
  ) {
    super(pace, periodStartMs);
  }

  /**
   * Counts a rejected frame. @returns `rate-limited`, of the class RateLimitExceeded for a sender that ignores earlier
   * rejections
   */
  rejection(nowMs: number, price: number): ChatError | RateLimitExceeded {
    if (nowMs - this.periodStartMs >= rejectionPeriodMs) {
      this.rejected = 0;
      this.periodStartMs = nowMs;
    }
    this.rejected += 1;
    const retryAfterMs = this.missingForMs(price);
    const limit = 'frames-per-second';
    if (this.rejected >= maxRejected) return new RateLimitExceeded('too many frames for too long', retryAfterMs, limit);
    return new ChatError('rate-limited', 'too many frames; this one was not handled', { retryAfterMs, limit });
  }

  /** Whether it equals a new allowance: all tokens are available, and no rejection counts any longer. */
  isReset(nowMs: number): boolean {
    return this.isFull(nowMs) && nowMs - this.periodStartMs >= rejectionPeriodMs;
  }
}
