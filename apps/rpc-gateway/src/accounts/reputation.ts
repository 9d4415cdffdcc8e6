/** Who is not known to have earned or lost any. */
const newcomersScore = 25;

/** As public gateways score what an account does by its reputation: 25 for a newcomer, more or less by powers of ten beyond 10^9. */
export function reputationScore(reputation: bigint | null): number {
  if (reputation === null || reputation === 0n) return newcomersScore;
  const magnitude = Math.max(Math.log10(Math.abs(Number(reputation))) - 9, 0);
  return Math.round(newcomersScore + (reputation < 0n ? -7.5 : 7.5) * magnitude);
}

/** The last six bits of a vote are noise to it. */
function weightOf(rshares: bigint): bigint {
  return rshares >> 6n;
}

/** Who is against others must have a reputation that is above theirs; who is below zero changes nobody's. */
function counts(rshares: bigint, voter: bigint, author: bigint): boolean {
  return voter >= 0n && (rshares >= 0n || (voter > 0n && voter > author));
}

/**
 * The reputation of an author after a vote, by the rules of hived's reputation plugin.
 *
 * @param voter the reputation of the voter
 * @param before rshares of the same voter's vote on the post until now, 0 where there is none
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
