/** The score of an account whose reputation is 0 or unknown. */
const newcomerScore = 25;

/** The score of public gateways: 25 for a newcomer, and 7.5 more or less for each power of ten above 10^9. */
export function reputationScore(reputation: bigint | null): number {
  if (reputation === null || reputation === 0n) return newcomerScore;
  return Math.round(newcomerScore + 7.5 * magnitudeOf(reputation));
}

/** The score of the network's reputation tracker: 0 for a newcomer, and 9 points for each power of ten above 10^9. */
export function trackerScore(reputation: bigint | null): number {
  if (reputation === null || reputation === 0n) return 0;
  return Math.round(newcomerScore + 9 * magnitudeOf(reputation));
}

/** The powers of ten above 10^9, negative for a negative reputation. */
function magnitudeOf(reputation: bigint): number {
  const magnitude = Math.max(Math.log10(Math.abs(Number(reputation))) - 9, 0);
  return reputation < 0n ? -magnitude : magnitude;
}

/** Reputation ignores the lowest six bits of a vote. */
function weightOf(rshares: bigint): bigint {
  return rshares >> 6n;
}

/** A downvote counts only if the voter's reputation is above the author's; a voter below zero never counts. */
function counts(rshares: bigint, voter: bigint, author: bigint): boolean {
  return voter >= 0n && (rshares >= 0n || (voter > 0n && voter > author));
}

/**
 * The reputation of an author after a vote, by the rules of hived's reputation plugin.
 *
 * @param voter the reputation of the voter
 * @param before rshares of the voter's previous vote on the post, 0 if there is none
 * @param rshares of the vote now
 */
export function reputationAfterVote(
  author: bigint,
  voter: bigint,
  { before, rshares }: { before: bigint; rshares: bigint },
): bigint {
  const without = author - weightOf(before);
  const cleared = before !== 0n && counts(before, voter, without) ? without : author;
  return rshares !== 0n && counts(rshares, voter, cleared) ? cleared + weightOf(rshares) : cleared;
}
