import { reputationAfterVote } from '../../accounts/reputation';
import { voteNotification } from './vote-notification';
import { type Account } from '../changeset/accounts';
import { type Changeset } from '../changeset/changeset';
import { paidOf, type Payout, type Post, type Posts, type Vote } from '../changeset/posts';
import { type PostLink } from '../changeset/read-set';
import { notifyUnlessMuted } from '../changeset/notification-rules';
import { type NetworkRules, rsharesScale } from '../network-rules';
import { areVotesClosed, changePayout, isFinal } from './payouts';

/** Votes on older posts create no notifications. */
const youngPostMs = 97 * 24 * 60 * 60 * 1_000;

/** The maximum of the column. */
const maxChanges = 32_767;

interface CastVote {
  readonly voter: string;
  readonly link: PostLink;
  readonly percent: number;
  readonly rules: NetworkRules;
}

/** Stores what the voter chose. Only this counts as a change of the vote: hive/indexer/votes.py of hivemind. */
export function castVote(
  { accounts, posts }: Changeset,
  time: Date,
  { voter: name, link, percent, rules }: CastVote,
): void {
  const voter = accounts.find(name);
  const post = posts.find(accounts.find(link.author)?.id, link.permlink);
  if (voter === undefined || post === undefined) return;
  const stored = posts.votes.find(post.id, voter.id);
  const payout = posts.payouts.find(post.id);
  // A post without a payout is older than an upgraded index.
  const isOver = payout === undefined || isFinal(payout);
  if (stored === undefined && isOver && !posts.keepsVotes) return;
  if (stored) {
    const before = isOlderThanPayout(stored, payout) ? 0n : stored.rshares / rsharesScale(rules, stored.updated);
    posts.replacedRshares.set(changeKey(stored, time), before);
  }
  const changes = stored === undefined ? 0 : Math.min(stored.changes + 1, maxChanges);
  posts.votes.put({ ...(stored ?? blankVote(post, voter)), percent, changes, updated: time });
}

interface CountedVote extends Pick<Vote, 'rshares' | 'weight'> {
  readonly voter: string;
  readonly link: PostLink;
  /** The factor for rshares, except of reputations: `rsharesScale`. */
  readonly scale: bigint;
  /** Of the post with this vote, in thousandths of HBD. */
  readonly pendingPayout: bigint;
  readonly totalVoteWeight: bigint;
}

/** Stores the effect that the chain gave to a vote: on the reputation of the author and on the payout of the post. */
export function countVote(
  changeset: Changeset,
  time: Date,
  { voter: name, link, weight, rshares: unscaled, scale, pendingPayout, totalVoteWeight }: CountedVote,
): void {
  const { accounts, posts } = changeset;
  const [voter, author] = [accounts.find(name), accounts.find(link.author)];
  if (!voter || !author) return;
  const post = posts.find(author.id, link.permlink);
  const stored = post && posts.votes.find(post.id, voter.id);
  const before = stored === undefined ? 0n : takeReplaced(posts, stored, time);
  changeReputation(changeset, voter, author, { before, rshares: unscaled });
  if (post === undefined) return;
  const rshares = unscaled * scale;
  const vote = { ...(stored ?? blankVote(post, voter)), rshares, weight, isEffective: true };
  posts.votes.put(vote);
  const payout = changePayout(changeset, link, (now) => ({
    pendingPayout,
    totalVoteWeight,
    ...countedWith(now, stored, vote),
  }));
  if (payout) notifyVote(changeset, time, voter, rshares, post, payout);
}

/** A vote without effect. */
function blankVote({ id }: Post, { id: voterId }: Account): Vote {
  const [updated, rshares] = [new Date(0), 0n];
  return { postId: id, voterId, rshares, updated, percent: 0, changes: 0, isEffective: false, weight: 0n };
}

/** The rshares of the vote before this change, which no longer count for the reputation. */
function takeReplaced({ replacedRshares }: Posts, stored: Vote, time: Date): bigint {
  const key = changeKey(stored, time);
  const rshares = replacedRshares.get(key) ?? stored.rshares;
  replacedRshares.delete(key);
  return rshares;
}

/** Identifies the change of a vote in a block, so that it does not depend on which blocks a batch contains. */
function changeKey({ postId, voterId }: Vote, time: Date): string {
  return `${postId} ${voterId} ${time.getTime()}`;
}

/** Whether a payout closed the vote. A vote has the time of the block before, and a payout its own block's. */
function isOlderThanPayout({ updated }: Vote, payout: Payout | undefined): boolean {
  const paidAt = payout !== undefined && areVotesClosed(payout) ? payout.paidAt : null;
  return paidAt !== null && updated < paidAt;
}

/** The sums of votes, with one that replaces another: `update_posts_rshares` of hivemind. */
function countedWith(now: Payout, before: Vote | undefined, after: Vote): Partial<Payout> {
  const was = before?.rshares ?? 0n;
  return {
    rshares: now.rshares + after.rshares - was,
    absoluteRshares: now.absoluteRshares + absolute(after.rshares) - absolute(was),
    totalVotes: now.totalVotes + (before?.isEffective === true ? 0 : 1),
    netVotes: now.netVotes + sign(after.rshares) - sign(was),
  };
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

/** Notifies the author of a vote on a young post, unless the vote is too small. */
function notifyVote(
  changeset: Changeset,
  time: Date,
  voter: Account,
  rshares: bigint,
  post: Post,
  payout: Payout,
): void {
  if (time.getTime() - post.created.getTime() > youngPostMs) return;
  const details = voteNotification({ ...payout, payout: paidOf(payout) }, rshares);
  if (details === undefined) return;
  const { authorId: recipientId, id: postId } = post;
  notifyUnlessMuted(changeset, time, 'vote', { recipientId, sourceId: voter.id, postId, ...details });
}

function absolute(number: bigint): bigint {
  return number < 0n ? -number : number;
}

function sign(number: bigint): number {
  return Number(number > 0n) - Number(number < 0n);
}
