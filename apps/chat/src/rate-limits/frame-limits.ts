import { FrameAllowance, rejectionPeriodMs } from './frame-allowance';
import { type Pace } from './token-bucket';

/** So many frames at once are enough for who has not authenticated. */
const strangerBurst = 20;

/** A connection, as far as it matters here. */
export interface Sender {
  readonly authentication: { readonly account: string } | undefined;
}

/**
 * How many frames an account may send to this instance, over all its connections; before a connection is an account's,
 * that connection.
 *
 * Not by the library of the other limits: every frame passes here, and that costs a promise per use and a timer per key.
 */
export class FrameLimits {
  /** Those who sent something since the last turn, and those who did before. */
  private recent = new Map<string, FrameAllowance>();
  private earlier = new Map<string, FrameAllowance>();
  private turnedAtMs: number;
  /** After so long an allowance is whole again, so that forgetting it takes and gives nothing. */
  private readonly wholeAfterMs: number;
  private readonly strangers = new WeakMap<Sender, FrameAllowance>();
  private readonly strangerPace: Pace;

  constructor(
    private readonly pace: Pace,
    nowMs = performance.now(),
  ) {
    this.turnedAtMs = nowMs;
    this.wholeAfterMs = Math.max((pace.burst * 1_000) / pace.perSecond, rejectionPeriodMs);
    this.strangerPace = { ...pace, burst: Math.min(pace.burst, strangerBurst) };
  }

  /** How many accounts are remembered: those that sent something within the last two turns. */
  get size(): number {
    return this.recent.size + this.earlier.size;
  }

  /**
   * Counts a frame.
   *
   * @param price how many plain frames it counts for; at most `burst` of them are taken
   * @param paid how many of them were taken before, when less was known of it
   * @throws ServiceError `rate-limited`, of the class RateLimitExceeded where the connection is to end
   */
  take(sender: Sender, { price = 1, paid = 0, nowMs = performance.now() } = {}) {
    this.allowanceOf(sender, nowMs).take(nowMs, price, paid);
  }

  /** Charges for work that is done and whose price was not known before: later frames wait until it is paid. Never throws. */
  chargeAfterwards(sender: Sender, price: number, nowMs = performance.now()) {
    this.allowanceOf(sender, nowMs).chargeAfterwards(nowMs, price);
  }

  /** How long until a frame of the price would be let through, in milliseconds. */
  affordableInMs(sender: Sender, price: number, nowMs = performance.now()): number {
    return this.allowanceOf(sender, nowMs).affordableInMs(nowMs, price);
  }

  private allowanceOf(sender: Sender, nowMs: number): FrameAllowance {
    const { authentication } = sender;
    return authentication === undefined
      ? this.ofStranger(sender, nowMs)
      : this.ofAccount(authentication.account, nowMs);
  }

  private ofAccount(account: string, nowMs: number): FrameAllowance {
    if (nowMs - this.turnedAtMs >= this.wholeAfterMs) this.turn(nowMs);
    const known = this.recent.get(account);
    if (known !== undefined) return known;
    const allowance = this.earlier.get(account) ?? new FrameAllowance(this.pace, nowMs);
    this.earlier.delete(account);
    this.recent.set(account, allowance);
    return allowance;
  }

  /** Forgets whom nothing was heard of since the last turn, unless they are still in debt. */
  private turn(nowMs: number) {
    for (const [account, allowance] of this.earlier) if (!allowance.isWhole(nowMs)) this.recent.set(account, allowance);
    this.earlier = this.recent;
    this.recent = new Map();
    this.turnedAtMs = nowMs;
  }

  private ofStranger(sender: Sender, nowMs: number): FrameAllowance {
    const known = this.strangers.get(sender);
    if (known !== undefined) return known;
    const allowance = new FrameAllowance(this.strangerPace, nowMs);
    this.strangers.set(sender, allowance);
    return allowance;
  }
}
