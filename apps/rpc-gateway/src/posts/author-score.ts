/** At most this raw reputation makes the posts of an author gray: their score is then below 1. */
export const grayReputation = -464_800_000_000n;

/**
 * The reputation score of an author as posts show it: 25 for a newcomer, and 9 more or less for each power of ten above
 * 10^9, with two decimals. Only the first four digits count.
 */
export function authorScore(reputation: bigint): number {
  if (reputation === 0n) return 25;
  const digits = String(reputation < 0n ? -reputation : reputation);
  const leading = Math.log10(Number(digits.slice(0, 4).padEnd(4, '0'))) + 0.000_000_01;
  const magnitude = Math.max(digits.length - 1 + (leading - Math.floor(leading)) - 9, 0);
  return Math.round((25 + (reputation < 0n ? -9 : 9) * magnitude) * 100) / 100;
}
