/** Of a post, its votes included. Payouts are thousandths of HBD. */
interface VotedPost {
  readonly payout: bigint;
  readonly pendingPayout: bigint;
  readonly rshares: bigint;
  readonly absoluteRshares: bigint;
}

/** Lesser votes are no news. */
const minRshares = 10_000_000_000n;
const minValue = 0.02;

/** What a vote is worth to a post, as its author is told; undefined where it is not worth telling. */
export function findVoteNews(post: VotedPost, rshares: bigint): { score: number; payload: string } | undefined {
  if (rshares < minRshares) return undefined;
  const value = shareOf(post, rshares, post.rshares);
  if (value < minValue) return undefined;
  const score = scoreOf(shareOf(post, rshares, post.absoluteRshares));
  return score > 0 ? { score, payload: `($${value.toFixed(2)})` } : undefined;
}

/** In HBD. */
function shareOf({ payout, pendingPayout }: VotedPost, rshares: bigint, all: bigint): number {
  return all === 0n ? 0 : (Number(payout + pendingPayout) / 1_000 / Number(all)) * Number(rshares);
}

/** 25 for each digit beyond the first of its thousandths, 100 at the most. */
function scoreOf(value: number): number {
  const thousandths = value * 1_000;
  return thousandths < 20 ? 0 : Math.min(100, 25 * (String(Math.round(thousandths)).length - 1));
}
