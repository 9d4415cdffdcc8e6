import { communityRoles, roleName } from '../communities/roles';
import { JsonText } from '../rpc/json-text';
import { hbdText } from './amounts';
import { authorScore, grayReputation } from './author-score';
import { expectedPayout, totalPayout } from './post-payout';
import { mutedReasons } from './muted-reasons';
import { parentPermlinkOf, parsedOr, urlOf } from './post-links';
import { type Post } from './read-posts';
import { cashoutTime, timeText } from './times';

/** What a method shows of a post besides the post itself. */
export interface BridgePostOptions {
  /** Names of the accounts that reblogged it. */
  readonly rebloggedBy?: readonly string[];
  /** Whether a pinned post says so. */
  readonly showsPin?: boolean;
  /** Whether the posts of authors that the observer has muted are gray. */
  readonly graysMuted?: boolean;
  /** Keys of its replies, in discussions. */
  readonly replies?: readonly string[];
}

/** Formats a post as the methods of `bridge` do. */
export function bridgePost(post: Post, options: BridgePostOptions = {}) {
  const { rebloggedBy = [], replies = [] } = options;
  const { depth, isPaid } = post;
  const score = authorScore(BigInt(post.reputation));
  return {
    post_id: BigInt(post.id),
    author: post.author,
    permlink: post.permlink,
    category: post.category ?? '',
    title: depth > 0 ? `RE: ${post.rootTitle}` : post.title,
    body: post.body,
    json_metadata: new JsonText(parsedOr(post.metadata, '{}')),
    created: timeText(post.created),
    updated: timeText(post.updated),
    depth,
    children: post.children,
    net_rshares: BigInt(post.rshares),
    is_paidout: isPaid,
    payout_at: timeText(payoutTime(post)),
    payout: Number(totalPayout(post)) / 1_000,
    pending_payout_value: hbdText(expectedPayout(post)),
    author_payout_value: hbdText(isPaid ? BigInt(post.authorPayout) : 0n),
    curator_payout_value: hbdText(isPaid ? BigInt(post.curatorPayout) : 0n),
    max_accepted_payout: hbdText(BigInt(post.maxAcceptedPayout)),
    percent_hbd: post.percentHbd,
    beneficiaries: new JsonText(post.beneficiaries ?? '[]'),
    active_votes: post.votes.map(({ voter, rshares }) => ({ voter, rshares: BigInt(rshares) })),
    author_reputation: score,
    blacklists: [...post.blacklists, ...reputationBlacklist(score)],
    stats: stats(post, options),
    reblogs: Number(post.reblogs),
    replies,
    url: urlOf(post),
    ...(depth > 0 && { parent_author: post.parentAuthor ?? '', parent_permlink: parentPermlinkOf(post) }),
    ...(rebloggedBy.length > 0 && { reblogged_by: rebloggedBy }),
    ...communityFields(post),
  };
}

function stats(post: Post, { showsPin = false, graysMuted = false }: BridgePostOptions) {
  const isGray = BigInt(post.reputation) <= grayReputation || (graysMuted && post.isMutedByObserver);
  const reasons = mutedReasonsOf(post, isGray);
  return {
    hide: false,
    gray: reasons.length > 0,
    total_votes: post.totalVotes,
    flag_weight: flagWeight(post),
    ...(showsPin && post.isPinned && { is_pinned: true }),
    ...(reasons.length > 0 && { muted_reasons: reasons }),
  };
}

/** Returns the fields that only a post in a community has. */
function communityFields({ category, communityTitle, role, roleTitle }: Post) {
  if (communityTitle === null || communityTitle === '') return {};
  return {
    community: category ?? '',
    community_title: communityTitle,
    author_role: roleName(role ?? communityRoles.guest),
    author_title: roleTitle ?? '',
  };
}

/** Returns the blacklist that public gateways put authors with a low score on, if any. */
function reputationBlacklist(score: number): string[] {
  if (score < 1) return ['reputation-0'];
  return score === 1 ? ['reputation-1'] : [];
}

function payoutTime({ isPaid, paidAt, created }: Post): Date {
  return isPaid && paidAt !== null ? paidAt : cashoutTime(created);
}

const storedReasons: readonly number[] = [
  mutedReasons.MUTED_COMMUNITY_MODERATION,
  mutedReasons.MUTED_COMMUNITY_TYPE,
  mutedReasons.MUTED_PARENT,
];

/** Returns why a post is muted, as numbers of `mutedReasons`. */
function mutedReasonsOf(post: Post, isGray: boolean): number[] {
  const reasons = storedReasons.filter((reason) => (post.mutedReasons & (1 << reason)) > 0);
  if (isGray) reasons.push(mutedReasons.MUTED_REPUTATION);
  if (post.role === communityRoles.muted) reasons.push(mutedReasons.MUTED_ROLE_COMMUNITY);
  return reasons;
}

/** A cheap logarithm of the downvotes: one per digit beyond ten, as Hivemind counts them. */
function flagWeight({ rshares, absoluteRshares }: Post): number {
  const negative = BigInt(rshares) - BigInt(absoluteRshares);
  // Shifting rounds down, also below zero.
  return Math.max(String(negative >> 2n).length - 11, 0);
}
