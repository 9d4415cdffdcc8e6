/** The payouts of a post in thousandths of HBD, and the sums of its votes. */
interface VotedPost {
  readonly payout: bigint;
  readonly pendingPayout: bigint;
  readonly rshares: bigint;
  readonly absoluteRshares: bigint;
}

/** A vote with less weight or value than these creates no notification. */
const minRshares = 10_000_000_000n;
const minValueHbd = 0.02;
const minThousandths = 20n;

/** Returns score and payload of the notification about a vote, or undefined if the vote is too small for one. */
export function voteNotification(post: VotedPost, rshares: bigint): { score: number; payload: string } | undefined {
  const payout = post.payout + post.pendingPayout;
  if (rshares < minRshares || payout <= 0n || post.rshares <= 0n) return undefined;
  const { digits, scale } = shareOf(payout, rshares, post.rshares);
  const value = Number(`${digits}e-${scale}`);
  const score = scoreOf(shareOf(payout, rshares, post.absoluteRshares));
  return value < minValueHbd || score === 0 ? undefined : { score, payload: `($${formatCents(value)})` };
}

/** A number of HBD: `digits` divided by 10 to the power of `scale`. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/**
 * The share of a vote in the payout. The network's gateways compute it with the type `numeric` of PostgreSQL, which
 * rounds the payout for one rshare: the only vote on a post with a payout of 0.020 HBD may be worth a little less.
 */
function shareOf(payout: bigint, rshares: bigint, all: bigint): Decimal {
  const scale = quotientScale(payout, all);
  const [dividend, divisor] = [payout * 10n ** BigInt(scale), 1_000n * all];
  return { digits: ((2n * dividend + divisor) / (2n * divisor)) * rshares, scale };
}

/**
 * The number of decimals that PostgreSQL gives to `payout / 1000 / all`, by its digits of base 10,000
 * (`select_div_scale` in numeric.c).
 */
function quotientScale(payout: bigint, all: bigint): number {
  // The fraction of the payout is a digit of its own.
  const [dividend, divisor] = [firstDigit(10n * payout), firstDigit(all)];
  const weight = dividend.count - 1 - divisor.count - (dividend.first <= divisor.first ? 1 : 0);
  return Math.max(3, 16 - 4 * weight);
}

/** The first digit of base 10,000, and how many there are. */
function firstDigit(number: bigint): { first: number; count: number } {
  const text = String(number);
  const count = Math.ceil(text.length / 4);
  return { first: Number(text.slice(0, text.length - 4 * (count - 1))), count };
}

/** 25 for each digit after the first of the thousandths, at most 100. */
function scoreOf({ digits, scale }: Decimal): number {
  const [thousandths, unit] = [1_000n * digits, 10n ** BigInt(scale)];
  if (thousandths < minThousandths * unit) return 0;
  return Math.min(100, 25 * (String((2n * thousandths + unit) / (2n * unit)).length - 1));
}

/**
 * Formats as the network's gateways do, in at most five digits. They round halves to even, as C does; `toFixed` rounds
 * them up. Of all numbers, only odd eighths are exact halves of a cent.
 */
function formatCents(value: number): string {
  const isHalf = (8 * value) % 2 === 1;
  const text = (isHalf ? Math.round(50 * value) / 50 : value).toFixed(2);
  return text.length <= '99999.99'.length ? text : '#####.##';
}
