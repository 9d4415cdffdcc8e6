/**
 * A reputation as it is shown: 25 for a newcomer, and 9 more (9 less if it is negative) for each power of ten above
 * 10^9, with two decimals.
 */
export function reputationScore(raw = 0n): number {
  const size = Math.log10(Math.abs(Number(raw)));
  const score = 25 + (raw < 0n ? -9 : 9) * Math.max(size - 9, 0);
  return raw === 0n ? 25 : Math.round(score * 100) / 100;
}
