import { z } from 'zod';
import { communityRoles, roleName } from '../communities/roles';
import { JsonText } from '../rpc/json-text';
import { hbdText } from './amounts';
import { authorScore, grayReputation } from './author-score';
import { beneficiaries, count, hbd, longInt, time } from './field-schemas';
import { parentPermlinkOf, parsedOr, urlOf } from './post-links';
import { type Post } from './read-posts';
import { cashoutTime, timeText } from './times';

/** How a list shows its posts. */
export interface BridgePostOptions {
  /** Names of the accounts that reblogged it, to be shown. */
  readonly rebloggedBy?: readonly string[];
  /** Whether a pinned post says so. */
  readonly showsPin?: boolean;
  /** Whether the posts of authors that the observer has muted are gray. */
  readonly graysMuted?: boolean;
  readonly replies?: readonly string[];
}

/** Formats a post as the methods of `bridge` do. */
export function bridgePost(
  post: Post,
  { rebloggedBy = [], showsPin, graysMuted, replies = [] }: BridgePostOptions = {},
) {
  const { depth, isPaid, role, category, communityTitle } = post;
  const reputation = BigInt(post.reputation);
  const score = authorScore(reputation);
  const isGray = reputation <= grayReputation || (graysMuted === true && post.isMutedByObserver);
  const reasons = mutedReasonsOf(post, isGray);
  const paid = BigInt(post.authorPayout) + BigInt(post.curatorPayout);
  const payout = paid + BigInt(post.pendingPayout);
  const isInCommunity = communityTitle !== null && communityTitle !== '';
  return {
    post_id: BigInt(post.id),
    author: post.author,
    permlink: post.permlink,
    category: category ?? '',
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
    payout: Number(payout) / 1_000,
    pending_payout_value: hbdText(isPaid ? 0n : payout),
    author_payout_value: hbdText(isPaid ? BigInt(post.authorPayout) : 0n),
    curator_payout_value: hbdText(isPaid ? BigInt(post.curatorPayout) : 0n),
    max_accepted_payout: hbdText(BigInt(post.maxAcceptedPayout)),
    percent_hbd: post.percentHbd,
    beneficiaries: new JsonText(post.beneficiaries ?? '[]'),
    active_votes: post.votes.map(({ voter, rshares }) => ({ voter, rshares: BigInt(rshares) })),
    author_reputation: score,
    blacklists: [...post.blacklists, ...(score < 1 ? ['reputation-0'] : score === 1 ? ['reputation-1'] : [])],
    stats: {
      hide: false,
      gray: isGray || post.mutedReasons !== 0 || role === communityRoles.muted,
      total_votes: post.totalVotes,
      flag_weight: flagWeight(post),
      ...(showsPin === true && post.isPinned && { is_pinned: true }),
      ...(reasons.length > 0 && { muted_reasons: reasons }),
    },
    reblogs: Number(post.reblogs),
    replies,
    url: urlOf(post),
    ...(depth > 0 && { parent_author: post.parentAuthor ?? '', parent_permlink: parentPermlinkOf(post) }),
    ...(rebloggedBy.length > 0 && { reblogged_by: rebloggedBy }),
    ...(isInCommunity && {
      community: category ?? '',
      community_title: communityTitle,
      author_role: roleName(role ?? communityRoles.guest),
      author_title: post.roleTitle ?? '',
    }),
  };
}

function payoutTime({ isPaid, paidAt, created }: Post): Date {
  return isPaid && paidAt !== null ? paidAt : cashoutTime(created);
}

/** The numbers of the reasons, as `list_muted_reasons_enum` names them. */
function mutedReasonsOf({ mutedReasons, role }: Post, isGray: boolean): number[] {
  const stored = [0, 1, 2].filter((reason) => (mutedReasons & (1 << reason)) > 0);
  return [...stored, ...(isGray ? [3] : []), ...(role === communityRoles.muted ? [4] : [])];
}

/** A cheap logarithm of the downvotes: one per digit beyond ten, as Hivemind counts them. */
function flagWeight({ rshares, absoluteRshares }: Post): number {
  const negative = BigInt(rshares) - BigInt(absoluteRshares);
  // Shifting rounds down, also below zero.
  return Math.max(String(negative >> 2n).length - 11, 0);
}

export const bridgePostSchema = z
  .strictObject({
    post_id: longInt,
    author: z.string(),
    permlink: z.string(),
    category: z.string(),
    title: z.string(),
    body: z.string(),
    json_metadata: z.unknown(),
    created: time,
    updated: time,
    depth: count,
    children: count,
    net_rshares: longInt,
    is_paidout: z.boolean(),
    payout_at: time,
    payout: z.number().meta({ description: 'Paid and pending, in HBD' }),
    pending_payout_value: hbd,
    author_payout_value: hbd,
    curator_payout_value: hbd,
    max_accepted_payout: hbd,
    percent_hbd: count,
    beneficiaries,
    active_votes: z.array(z.strictObject({ voter: z.string(), rshares: longInt })).max(1_000),
    author_reputation: z.number().meta({ description: 'Score, not the raw reputation' }),
    blacklists: z.array(z.string()),
    stats: z.strictObject({
      hide: z.literal(false),
      gray: z.boolean(),
      total_votes: z.int(),
      flag_weight: count,
      is_pinned: z.literal(true).optional(),
      muted_reasons: z.array(z.int().min(0).max(4)).optional().meta({ description: 'See `list_muted_reasons_enum`' }),
    }),
    reblogs: count,
    replies: z.array(z.string()).meta({ description: 'Keys of the replies, in discussions; otherwise empty' }),
    url: z.string(),
    parent_author: z.string().optional(),
    parent_permlink: z.string().optional(),
    reblogged_by: z.array(z.string()).optional(),
    community: z.string().optional(),
    community_title: z.string().optional(),
    author_role: z.enum(Object.keys(communityRoles)).optional(),
    author_title: z.string().optional(),
  })
  .meta({ id: 'BridgePost' });

export const exampleBridgePost = {
  post_id: 42,
  author: 'alice',
  permlink: 'the-first-swarm',
  category: 'bees',
  title: 'The first swarm',
  body: 'They left the hive at noon.',
  json_metadata: { tags: ['bees'] },
  created: '2025-01-15T12:30:45',
  updated: '2025-01-15T12:30:45',
  depth: 0,
  children: 1,
  net_rshares: 1_000_000,
  is_paidout: false,
  payout_at: '2025-01-22T12:30:45',
  payout: 1.5,
  pending_payout_value: '1.500 HBD',
  author_payout_value: '0.000 HBD',
  curator_payout_value: '0.000 HBD',
  max_accepted_payout: '1000000.000 HBD',
  percent_hbd: 10_000,
  beneficiaries: [],
  active_votes: [{ voter: 'bob', rshares: 1_000_000 }],
  author_reputation: 46,
  blacklists: [],
  stats: { hide: false, gray: false, total_votes: 1, flag_weight: 0 },
  reblogs: 0,
  replies: [],
  url: '/bees/@alice/the-first-swarm',
} satisfies z.infer<typeof bridgePostSchema>;
