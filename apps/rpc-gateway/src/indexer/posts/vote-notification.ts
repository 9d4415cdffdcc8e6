/** The payouts of a post in thousandths of HBD, and the sums of its votes. */
interface VotedPost {
  readonly payout: bigint;
  readonly pendingPayout: bigint;
  readonly rshares: bigint;
  readonly absoluteRshares: bigint;
}

/** A vote with fewer rshares or less value creates no notification. */
const minRshares = 10_000_000_000n;
const minValue = { hbd: 0.02, thousandths: 20n };

/** Returns score and payload of the notification about a vote, or undefined if the vote is too small for one. */
export function voteNotification(post: VotedPost, rshares: bigint): { score: number; payload: string } | undefined {
  const payout = post.payout + post.pendingPayout;
  if (rshares < minRshares || payout <= 0n || post.rshares <= 0n) return undefined;
  // The text has the share of all votes, and the score the share of their absolute values.
  const { digits, scale } = voteValue(payout, rshares, post.rshares);
  const value = Number(`${digits}e-${scale}`);
  const score = scoreOf(voteValue(payout, rshares, post.absoluteRshares));
  return value < minValue.hbd || score === 0 ? undefined : { score, payload: `($${formatCents(value)})` };
}

/** A number of HBD: `digits` divided by 10 to the power of `scale`. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/**
 * The share of a vote in the payout: `payout / totalRshares * rshares`. The network's gateways compute it with the type
 * `numeric` of PostgreSQL, which rounds the quotient. So the only vote on a post may get a little less than the payout.
 */
function voteValue(payout: bigint, rshares: bigint, totalRshares: bigint): Decimal {
  const scale = quotientScale(payout, totalRshares);
  const payoutPerRshare = roundedQuotient(payout * 10n ** BigInt(scale), 1_000n * totalRshares);
  return { digits: payoutPerRshare * rshares, scale };
}

/** Halves are rounded up. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/**
 * The number of decimals that PostgreSQL gives to `payout / 1000 / totalRshares`, by its digits of base 10,000
 * (`select_div_scale` in numeric.c).
 */
function quotientScale(payout: bigint, totalRshares: bigint): number {
  // Thousandths times ten: then exactly one digit of base 10,000 is behind the point.
  const dividend = firstDigit(10n * payout);
  const divisor = firstDigit(totalRshares);
  const weight = dividend.count - 1 - divisor.count - (dividend.first <= divisor.first ? 1 : 0);
  return Math.max(3, 16 - 4 * weight);
}

/** The first digit of base 10,000, and how many there are. */
function firstDigit(number: bigint): { first: number; count: number } {
  const text = String(number);
  const count = Math.ceil(text.length / 4);
  return { first: Number(text.slice(0, text.length - 4 * (count - 1))), count };
}

/** 25 points for each digit of the value in thousandths of HBD except one, at most 100. */
function scoreOf({ digits, scale }: Decimal): number {
  const thousandths = 1_000n * digits;
  const unit = 10n ** BigInt(scale);
  if (thousandths < minValue.thousandths * unit) return 0;
  return Math.min(100, 25 * (String(roundedQuotient(thousandths, unit)).length - 1));
}

/**
 * Formats as `to_char` of PostgreSQL does. It rounds halves of a cent to even; `toFixed` rounds them up. Among binary
 * floating-point numbers, only odd eighths are exact halves of a cent.
 */
function formatCents(value: number): string {
  const isHalf = (8 * value) % 2 === 1;
  const nearestEvenCent = Math.round(50 * value) / 50;
  const text = (isHalf ? nearestEvenCent : value).toFixed(2);
  // What it prints for a number with more than five digits before the point.
  return text.length <= '99999.99'.length ? text : '#####.##';
}
