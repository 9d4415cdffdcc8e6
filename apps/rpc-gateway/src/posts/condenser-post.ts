import { z } from 'zod';
import { JsonText } from '../rpc/json-text';
import { hbdText } from './amounts';
import { beneficiaries, count, hbd, longInt, time } from './field-schemas';
import { parentPermlinkOf, urlOf } from './post-links';
import { type Post, type Vote } from './read-posts';
import { cashoutTime, neverText, timeText } from './times';

export interface CondenserPostOptions {
  /** Maximum number of characters of the body; 0 for all. */
  readonly truncateBody?: number;
  /** Names of the accounts that reblogged it, to be shown. */
  readonly rebloggedBy?: readonly string[];
}

/** Formats a post as the lists of `condenser_api` do. */
export function condenserPost(post: Post, { truncateBody = 0, rebloggedBy = [] }: CondenserPostOptions = {}) {
  const paid = BigInt(post.authorPayout) + BigInt(post.curatorPayout);
  return {
    ...commonFields(post, truncateBody),
    post_id: BigInt(post.id),
    active_votes: post.votes.map((vote) => ({ ...voteFields(vote), percent: String(vote.percent) })),
    curator_payout_value: hbdText(post.isPaid ? BigInt(post.curatorPayout) : 0n),
    pending_payout_value: hbdText(post.isPaid ? 0n : paid + BigInt(post.pendingPayout)),
    total_payout_value: hbdText(post.isPaid ? BigInt(post.authorPayout) : 0n),
    net_rshares: BigInt(post.rshares),
    ...(rebloggedBy.length > 0 && { reblogged_by: rebloggedBy }),
  };
}

/** Formats a post as `condenser_api.get_content` does. */
export function condenserContent(post: Post) {
  const paid = BigInt(post.authorPayout) + BigInt(post.curatorPayout);
  const [rshares, absolute] = post.isPaid ? [0n, 0n] : [BigInt(post.rshares), BigInt(post.absoluteRshares)];
  return {
    ...commonFields(post, 0),
    id: BigInt(post.id),
    active_votes: post.votes.map(activeVote),
    author_rewards: BigInt(post.authorRewards),
    max_cashout_time: neverText,
    curator_payout_value: hbdText(BigInt(post.curatorPayout)),
    pending_payout_value: hbdText(post.isPaid ? 0n : paid + BigInt(post.pendingPayout)),
    total_payout_value: hbdText(BigInt(post.authorPayout)),
    total_pending_payout_value: hbdText(0n),
    reward_weight: 10_000,
    root_author: post.rootAuthor,
    root_permlink: post.rootPermlink,
    allow_replies: true,
    allow_votes: post.allowsVotes,
    allow_curation_rewards: post.allowsCurationRewards,
    net_votes: post.netVotes,
    children_abs_rshares: 0,
    reblogged_by: [],
    total_vote_weight: post.isPaid ? 0n : BigInt(post.totalVoteWeight),
    vote_rshares: (rshares + absolute) / 2n,
    net_rshares: rshares,
    abs_rshares: absolute,
  };
}

/** Formats a vote as `condenser_api.get_active_votes` does. */
export function activeVote(vote: Vote) {
  return { ...voteFields(vote), percent: vote.percent, time: timeText(vote.updated), weight: BigInt(vote.weight) };
}

function voteFields({ voter, reputation, rshares }: Vote) {
  return { voter, reputation: BigInt(reputation), rshares: BigInt(rshares) };
}

function commonFields(post: Post, truncateBody: number) {
  const { category, isPaid, paidAt } = post;
  return {
    author: post.author,
    permlink: post.permlink,
    // Of a post whose parent permlink is empty.
    category: category === null || category === '' ? 'undefined' : category,
    title: post.title,
    body: truncateBody > 0 ? firstCharacters(post.body, truncateBody) : post.body,
    json_metadata: post.metadata === '' ? '{}' : post.metadata,
    created: timeText(post.created),
    last_update: timeText(post.updated),
    depth: post.depth,
    children: post.children,
    last_payout: isPaid && paidAt !== null ? timeText(paidAt) : neverText,
    cashout_time: isPaid ? neverText : timeText(cashoutTime(post.created)),
    replies: [],
    body_length: countCharacters(post.body),
    author_reputation: BigInt(post.reputation),
    parent_author: post.parentAuthor ?? '',
    parent_permlink: parentPermlinkOf(post),
    url: urlOf(post),
    root_title: post.rootTitle,
    beneficiaries: new JsonText(post.beneficiaries ?? '[]'),
    max_accepted_payout: hbdText(BigInt(post.maxAcceptedPayout)),
    percent_hbd: post.percentHbd,
  };
}

/** Counts code points without an array of them, which would need many times the memory of the text. */
function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += isSurrogatePair(text, index) ? 2 : 1) count += 1;
  return count;
}

function isSurrogatePair(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xff_ff;
}

function firstCharacters(text: string, count: number): string {
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
}

const voteShape = { voter: z.string(), reputation: longInt, rshares: longInt };

export const activeVotes = z
  .array(z.strictObject({ ...voteShape, percent: z.int(), time, weight: longInt }))
  .max(1_000)
  .meta({ id: 'ActiveVotes' });

const commonShape = {
  author: z.string(),
  permlink: z.string(),
  category: z.string(),
  title: z.string(),
  body: z.string(),
  json_metadata: z.string(),
  created: time,
  last_update: time,
  depth: count,
  children: count,
  last_payout: time,
  cashout_time: time,
  replies: z.array(z.string()).length(0),
  body_length: count.meta({ description: 'In characters, also of a truncated body' }),
  author_reputation: longInt,
  parent_author: z.string(),
  parent_permlink: z.string(),
  url: z.string(),
  root_title: z.string(),
  beneficiaries,
  max_accepted_payout: hbd,
  percent_hbd: count,
  curator_payout_value: hbd,
  pending_payout_value: hbd,
  total_payout_value: hbd,
  net_rshares: longInt,
};

export const condenserPostSchema = z
  .strictObject({
    ...commonShape,
    post_id: longInt,
    active_votes: z.array(z.strictObject({ ...voteShape, percent: z.string() })).max(1_000),
    reblogged_by: z.array(z.string()).optional(),
  })
  .meta({ id: 'CondenserPost' });

export const condenserContentSchema = z
  .strictObject({
    ...commonShape,
    id: longInt,
    active_votes: activeVotes,
    author_rewards: longInt,
    max_cashout_time: time,
    total_pending_payout_value: hbd,
    reward_weight: z.literal(10_000),
    root_author: z.string(),
    root_permlink: z.string(),
    allow_replies: z.literal(true),
    allow_votes: z.boolean(),
    allow_curation_rewards: z.boolean(),
    net_votes: z.int(),
    children_abs_rshares: z.literal(0),
    reblogged_by: z.array(z.string()).length(0),
    total_vote_weight: longInt,
    vote_rshares: longInt,
    abs_rshares: longInt,
  })
  .meta({ id: 'CondenserContent' });

const exampleFields = {
  author: 'alice',
  permlink: 'the-first-swarm',
  category: 'bees',
  title: 'The first swarm',
  body: 'They left the hive at noon.',
  json_metadata: '{"tags":["bees"]}',
  created: '2025-01-15T12:30:45',
  last_update: '2025-01-15T12:30:45',
  depth: 0,
  children: 1,
  last_payout: neverText,
  cashout_time: '2025-01-22T12:30:45',
  replies: [],
  body_length: 27,
  author_reputation: 1_000_000_000_000,
  parent_author: '',
  parent_permlink: 'bees',
  url: '/bees/@alice/the-first-swarm',
  root_title: 'The first swarm',
  beneficiaries: [],
  max_accepted_payout: '1000000.000 HBD',
  percent_hbd: 10_000,
  curator_payout_value: '0.000 HBD',
  pending_payout_value: '1.500 HBD',
  total_payout_value: '0.000 HBD',
  net_rshares: 1_000_000,
};
const exampleVoter = { voter: 'bob', reputation: 0, rshares: 1_000_000 };

export const exampleActiveVote = { ...exampleVoter, percent: 10_000, time: '2025-01-15T12:31:00', weight: 1_000 };

export const exampleCondenserPost = {
  ...exampleFields,
  post_id: 42,
  active_votes: [{ ...exampleVoter, percent: '10000' }],
} satisfies z.infer<typeof condenserPostSchema>;

export const exampleCondenserContent = {
  ...exampleFields,
  id: 42,
  active_votes: [exampleActiveVote],
  author_rewards: 0,
  max_cashout_time: neverText,
  total_pending_payout_value: '0.000 HBD',
  reward_weight: 10_000,
  root_author: 'alice',
  root_permlink: 'the-first-swarm',
  allow_replies: true,
  allow_votes: true,
  allow_curation_rewards: true,
  net_votes: 1,
  children_abs_rshares: 0,
  reblogged_by: [],
  total_vote_weight: 1_000,
  vote_rshares: 1_000_000,
  abs_rshares: 1_000_000,
} satisfies z.infer<typeof condenserContentSchema>;
