import { type Changeset } from '../changeset/changeset';
import { type Payout, type Post } from '../changeset/posts';
import { type PostLink } from '../changeset/read-set';

/** Of a post without options, in thousandths of HBD: a million HBD. */
const defaultMaxAcceptedPayout = 1_000_000_000n;

/** Starts the payout of a new post. */
export function startPayout({ posts, communities }: Changeset, { id, authorId, communityId }: Post): void {
  posts.payouts.put({
    postId: id,
    authorPayout: 0n,
    curatorPayout: 0n,
    beneficiaryPayout: 0n,
    pendingPayout: 0n,
    authorRewards: 0n,
    rshares: 0n,
    absoluteRshares: 0n,
    promoted: 0n,
    maxAcceptedPayout: defaultMaxAcceptedPayout,
    paidAt: null,
    totalVotes: 0,
    netVotes: 0,
    percentHbd: 10_000,
    isPaid: false,
    allowsVotes: true,
    allowsCurationRewards: true,
    totalVoteWeight: 0n,
    beneficiaries: null,
  });
  communities.countPendingPost(communityId, authorId, 1);
}

/**
 * Changes the payout of a post, and the unpaid posts and pending payout of its community with it.
 *
 * @param changes returns the columns to change, given the current row
 * @returns the changed row; undefined if the post does not exist
 */
export function changePayout(
  changeset: Changeset,
  { author, permlink }: PostLink,
  changes: (now: Payout) => Partial<Payout>,
): Payout | undefined {
  const { accounts, posts, communities } = changeset;
  const post = posts.find(accounts.find(author)?.id, permlink);
  const now = post && posts.payouts.find(post.id);
  if (post === undefined || now === undefined) return undefined;
  const changed = { ...now, ...changes(now) };
  communities.addPendingPayout(post.communityId, pendingOf(changed) - pendingOf(now));
  if (changed.isPaid && !now.isPaid) communities.countPendingPost(post.communityId, post.authorId, -1);
  if (!posts.keepsVotes && isFinal(changed) && !isFinal(now)) posts.deleteVotes(post.id);
  return posts.payouts.put(changed);
}

/** Removes the payout of a deleted post from its community. */
export function endPayout({ posts, communities }: Changeset, post: Post): void {
  const payout = posts.payouts.find(post.id);
  if (payout === undefined || payout.isPaid) return;
  communities.countPendingPost(post.communityId, post.authorId, -1);
  communities.addPendingPayout(post.communityId, -payout.pendingPayout);
}

function pendingOf({ isPaid, pendingPayout }: Payout): bigint {
  return isPaid ? 0n : pendingPayout;
}

/** Hard forks 12 and 17, when the chain began to pay posts twice, and when it ended (0_12.hf and 0_17.hf of hived). */
const paidTwice = { from: Date.UTC(2016, 6, 26, 15), until: Date.UTC(2017, 2, 30, 15) };

/**
 * Whether a post was paid for good, so that no vote changes its sums. Before hard fork 17, a vote after the payout of a
 * post may replace one before it.
 */
export function isFinal({ isPaid, paidAt }: Payout): boolean {
  return isPaid && (paidAt?.getTime() ?? NaN) >= paidTwice.until;
}

/**
 * Whether the last payout closed the votes before it, so that a later vote of the same account counts in addition.
 * hived does so at the first of two payouts too (`cashout_comment_helper`), but announces only the last payout by
 * `comment_payout_update`.
 */
export function areVotesClosed({ isPaid, paidAt }: Payout): boolean {
  const paidMs = paidAt?.getTime() ?? NaN;
  return isPaid || (paidMs >= paidTwice.from && paidMs < paidTwice.until);
}
