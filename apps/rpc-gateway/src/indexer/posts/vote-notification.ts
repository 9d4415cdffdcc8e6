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

/** Returns score and payload of the notification about a vote, or undefined if the vote is too small for one. */
export function voteNotification(post: VotedPost, rshares: bigint): { score: number; payload: string } | undefined {
  if (rshares < minRshares) return undefined;
  const value = shareOf(post, rshares, post.rshares);
  if (value < minValueHbd) return undefined;
  const score = scoreOf(shareOf(post, rshares, post.absoluteRshares));
  return score > 0 ? { score, payload: `($${value.toFixed(2)})` } : undefined;
}

/** The share of a vote in the payout, in HBD. */
function shareOf({ payout, pendingPayout }: VotedPost, rshares: bigint, all: bigint): number {
  return all === 0n ? 0 : (Number(payout + pendingPayout) / 1_000 / Number(all)) * Number(rshares);
}

/** 25 for each digit after the first of the thousandths, at most 100. */
function scoreOf(value: number): number {
  const thousandths = value * 1_000;
  return thousandths < minValueHbd * 1_000 ? 0 : Math.min(100, 25 * (String(Math.round(thousandths)).length - 1));
}
