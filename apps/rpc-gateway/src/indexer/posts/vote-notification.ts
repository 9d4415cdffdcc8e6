interface VotedPost {
  /** In thousandths of HBD. */
  readonly payout: bigint;
  readonly pendingPayout: bigint;
  /** The sum of its votes; downvotes are negative. */
  readonly rshares: bigint;
  /** The sum of their absolute values. */
  readonly absoluteRshares: bigint;
}

/** A vote with fewer rshares or less value creates no notification. */
const minRshares = 10_000_000_000n;
const minValue = { hbd: 0.02, thousandths: 20n };

/** Returns score and payload of the notification about a vote, or undefined if the vote is too small for one. */
export function voteNotification(post: VotedPost, rshares: bigint): { score: number; payload: string } | undefined {
  const payout = post.payout + post.pendingPayout;
  if (rshares < minRshares || payout <= 0n || post.rshares <= 0n) return undefined;
  // The text divides by the sum of the votes, and the score by the sum of their absolute values.
  const { unscaled, scale } = voteValue(payout, rshares, post.rshares);
  const value = Number(`${unscaled}e-${scale}`);
  const score = scoreOf(voteValue(payout, rshares, post.absoluteRshares));
  return value < minValue.hbd || score === 0 ? undefined : { score, payload: `($${formatCents(value)})` };
}

/** A number of HBD: `unscaled` divided by 10 to the power of `scale`. */
interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

/**
 * The share of a vote in the payout: `payout / totalRshares * rshares`. The network's gateways compute it with the type
 * `numeric` of PostgreSQL, which rounds the quotient: the only vote on a post may get slightly more or less than the
 * payout.
 */
function voteValue(payout: bigint, rshares: bigint, totalRshares: bigint): Decimal {
  const scale = quotientScale(payout, totalRshares);
  const payoutPerRshare = roundedQuotient(payout * 10n ** BigInt(scale), 1_000n * totalRshares);
  return { unscaled: payoutPerRshare * rshares, scale };
}

/** Halves are rounded up. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/**
 * The number of decimals that PostgreSQL gives to `payout / 1000 / totalRshares`, from the leading digits of both in
 * base 10,000 (`select_div_scale` in numeric.c).
 */
function quotientScale(payout: bigint, totalRshares: bigint): number {
  // payout / 1000 is 10 * payout / 10,000: one digit of base 10,000 is behind the point.
  const dividend = leadingDigit(10n * payout);
  const divisor = leadingDigit(totalRshares);
  const dividendWeight = dividend.digitCount - 2;
  const divisorWeight = divisor.digitCount - 1;
  const weight = dividendWeight - divisorWeight - (dividend.value <= divisor.value ? 1 : 0);
  return Math.max(3, 16 - 4 * weight);
}

/** The first digit in base 10,000, and how many digits there are. */
function leadingDigit(number: bigint): { value: number; digitCount: number } {
  const text = String(number);
  const digitCount = Math.ceil(text.length / 4);
  return { value: Number(text.slice(0, text.length - 4 * (digitCount - 1))), digitCount };
}

/** 25 points per power of ten: 25 from 20 thousandths of HBD on, 50 from 100, 75 from 1,000, and at most 100. */
function scoreOf({ unscaled, scale }: Decimal): number {
  const thousandths = 1_000n * unscaled;
  const unit = 10n ** BigInt(scale);
  if (thousandths < minValue.thousandths * unit) return 0;
  return Math.min(100, 25 * (String(roundedQuotient(thousandths, unit)).length - 1));
}

/**
 * Formats as `to_char` of PostgreSQL does. It rounds halves of a cent to even; `toFixed` rounds them up. A binary
 * floating-point number is exactly between two cents only at .125, .375, .625 and .875.
 */
function formatCents(value: number): string {
  const isHalf = (8 * value) % 2 === 1;
  const nearestEvenCent = Math.round(50 * value) / 50;
  const text = (isHalf ? nearestEvenCent : value).toFixed(2);
  // `to_char` has room for five digits before the point.
  return text.length <= '99999.99'.length ? text : '#####.##';
}
