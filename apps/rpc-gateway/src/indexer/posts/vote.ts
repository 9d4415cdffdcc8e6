import { reputationAfterVote } from '../../accounts/reputation';
import { voteNotification } from './vote-notification';
import { type Account } from '../changeset/accounts';
import { type Changeset } from '../changeset/changeset';
import { type YoungPost } from '../changeset/posts';
import { type PostLink } from '../changeset/read-set';
import { notifyUnlessMuted } from '../changeset/notification-rules';

interface CountedVote {
  readonly voter: string;
  readonly link: PostLink;
  readonly rshares: bigint;
  /** The pending payout of the post with this vote, in thousandths of HBD. */
  readonly pendingPayout: bigint;
}

/** Votes on older posts create no notifications. */
export const youngPostMs = 97 * 24 * 60 * 60 * 1_000;

export function countVote(
  changeset: Changeset,
  time: Date,
  { voter: name, link, rshares, pendingPayout }: CountedVote,
): void {
  const { accounts, posts } = changeset;
  const [voter, author] = [accounts.find(name), accounts.find(link.author)];
  if (!voter || !author) return;
  const post = posts.find(author.id, link.permlink);
  const before = post ? (posts.votes.find(post.id, voter.id)?.rshares ?? 0n) : 0n;
  changeReputation(changeset, voter, author, { before, rshares });
  if (post === undefined) return;
  posts.votes.put({ postId: post.id, voterId: voter.id, rshares });
  const young = posts.young.find(post.id);
  if (young) notifyVote(changeset, time, voter, rshares, addVote(changeset, young, { before, rshares, pendingPayout }));
}

/** Does nothing if one of the reputations is unknown. */
function changeReputation(
  { accounts }: Changeset,
  { reputation: ofVoter }: Account,
  { id, reputation: ofAuthor }: Account,
  vote: { before: bigint; rshares: bigint },
): void {
  if (ofVoter === null || ofAuthor === null) return;
  const reputation = reputationAfterVote(ofAuthor, ofVoter, vote);
  if (reputation !== ofAuthor) accounts.change(id, () => ({ reputation }));
}

function addVote(
  { posts, communities }: Changeset,
  young: YoungPost,
  { before, rshares, pendingPayout }: { before: bigint; rshares: bigint; pendingPayout: bigint },
): YoungPost {
  if (!young.isPaid) communities.addPendingPayout(young.communityId, pendingPayout - young.pendingPayout);
  return posts.young.put({
    ...young,
    pendingPayout,
    rshares: young.rshares + rshares - before,
    absoluteRshares: young.absoluteRshares + absolute(rshares) - absolute(before),
  });
}

function notifyVote(changeset: Changeset, time: Date, voter: Account, rshares: bigint, young: YoungPost): void {
  if (time.getTime() - young.created.getTime() > youngPostMs) return;
  const details = voteNotification(young, rshares);
  if (details === undefined) return;
  const { authorId: recipientId, postId } = young;
  notifyUnlessMuted(changeset, time, 'vote', { recipientId, sourceId: voter.id, postId, ...details });
}

function absolute(number: bigint): bigint {
  return number < 0n ? -number : number;
}
