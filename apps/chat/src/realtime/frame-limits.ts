import { ChatError, RateLimitExceeded } from '../errors';

/**
 * Prices of frames by their effect, in plain frames. The `*.frames.ts` of a feature declares which of them each frame
 * has.
 */
export const framePrices = {
  plain: 1,
  /** A transaction of its own, which locks what it changes; it may also call a Hive node. */
  change: 10,
  /** Creates up to 250 members, each of which lists the conversation from then on. */
  creation: 50,
};

export type FramePrice = keyof typeof framePrices;
export const priceOfChange = framePrices.change;

/**
 * A frame costs one more for each of this many bytes. What is delivered because of it is no longer than the frame
 * itself, apart from fields of a fixed length: JSON escapes nothing to more bytes than the sender needed for it.
 */
const frameBytesPerPrice = 1_024;

export function priceOfFrame(price: FramePrice, bytes: number): number {
  return framePrices[price] + Math.floor(bytes / frameBytesPerPrice);
}

/**
 * Price of a resume, in addition to the frame that requests it: a query finds up to some thousand missed entries. These
 * are charged page by page when they are delivered.
 */
export const resumePrice = 20;

/**
 * A page of entries costs one, and one more for each of this many bytes that are written: an account that sends nothing
 * else gets 500 x 8 KiB (4 MB) of what it missed at once, and then 800 KiB/s.
 */
const pageBytesPerPrice = 8 * 1_024;

/**
 * A page is read only when the account can afford frames of this price, so that its other connections can send
 * meanwhile. It costs more than a creation and a page together: a page of 64 KiB of text, which JSON may
 * double, counts as 17.
 */
export const affordableBeforePage = framePrices.creation + 20;

export function priceOfPage(bytes: number): number {
  return 1 + Math.floor(bytes / pageBytesPerPrice);
}

/** What is read for a connection, such as the subscriptions of its account, costs one for each of this many. */
const readsPerPrice = 20;

export function priceOfReads(count: number): number {
  return Math.floor(count / readsPerPrice);
}

/** A sender with this many rejected frames within the period ignores `retry_after_ms`: its connection is closed. */
const maxRejected = 200;
const rejectionPeriodMs = 10_000;

/** Burst of a connection that has not authenticated yet. */
const anonymousBurst = 20;

/** The rate and the capacity of a token bucket. */
export interface Pace {
  perSecond: number;
  burst: number;
}

/** A connection: charges its account or, before it has authenticated, the connection itself. */
export interface Payer {
  readonly authentication: { readonly account: string } | undefined;
}

/**
 * Limits the frames of each account at this instance, over all its connections, and those of each connection that has
 * not authenticated.
 *
 * Their pace is set by `FRAMES_PER_SECOND` and `FRAMES_BURST` (config.ts).
 *
 * Does not use the library of the other limits, which needs a promise per use and a timer per key: this runs for every
 * frame.
 */
export class FrameLimits {
  /** Accounts that have sent a frame since the last rotation, and between the last two. */
  private recent = new Map<string, FrameAllowance>();
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
