import { type RowIn } from '@waggle/service';
import { z } from 'zod';
import { JsonText } from '../rpc/json-text';
import { type votesByPost } from './votes.statements';
import { hbdObject } from './amounts';
import { beneficiaries, count, longInt, time } from './field-schemas';
import { parentPermlinkOf } from './post-links';
import { type Post } from './read-posts';
import { cashoutTime, neverText, timeText } from './times';

/** Formats a post as `database_api` does. */
export function databaseComment(post: Post) {
  const { isPaid, paidAt } = post;
  const [rshares, absolute] = isPaid ? [0n, 0n] : [BigInt(post.rshares), BigInt(post.absoluteRshares)];
  return {
    id: BigInt(post.id),
    author: post.author,
    permlink: post.permlink,
    category: post.category ?? '',
    title: post.title,
    body: post.body,
    json_metadata: post.metadata === '' ? '{}' : post.metadata,
    created: timeText(post.created),
    last_update: timeText(post.updated),
    last_payout: paidAt === null ? neverText : timeText(paidAt),
    cashout_time: isPaid ? neverText : timeText(cashoutTime(post.created)),
    max_cashout_time: neverText,
    depth: post.depth,
    children: post.children,
    parent_author: post.parentAuthor ?? '',
    parent_permlink: parentPermlinkOf(post),
    root_author: post.rootAuthor,
    root_permlink: post.rootPermlink,
    author_rewards: BigInt(post.authorRewards),
    reward_weight: 10_000,
    allow_replies: true,
    allow_votes: post.allowsVotes,
    allow_curation_rewards: post.allowsCurationRewards,
    beneficiaries: new JsonText(post.beneficiaries ?? '[]'),
    percent_hbd: post.percentHbd,
    max_accepted_payout: hbdObject(BigInt(post.maxAcceptedPayout)),
    curator_payout_value: hbdObject(BigInt(post.curatorPayout)),
    total_payout_value: hbdObject(BigInt(post.authorPayout)),
    net_votes: post.netVotes,
    total_vote_weight: isPaid ? 0n : BigInt(post.totalVoteWeight),
    vote_rshares: (rshares + absolute) / 2n,
    net_rshares: rshares,
    abs_rshares: absolute,
    children_abs_rshares: 0,
  };
}

/** More than the number of accounts. */
const accounts = 1n << 24n;

/** Formats a vote as `database_api` does. Its id is unique; nodes use other ids. */
export function databaseVote(vote: RowIn<typeof votesByPost>) {
  return {
    id: BigInt(vote.postId) * accounts + BigInt(vote.voterId),
    voter: vote.voter,
    author: vote.author,
    permlink: vote.permlink,
    weight: BigInt(vote.weight),
    rshares: BigInt(vote.rshares),
    vote_percent: vote.percent,
    last_update: timeText(vote.updated),
    num_changes: vote.changes,
  };
}

const hbd = z.strictObject({ amount: z.string().regex(/^-?\d+$/), precision: z.literal(3), nai: z.string() });

export const databaseComments = z.strictObject({
  comments: z.array(
    z
      .strictObject({
        id: longInt,
        author: z.string(),
        permlink: z.string(),
        category: z.string(),
        title: z.string(),
        body: z.string(),
        json_metadata: z.string(),
        created: time,
        last_update: time,
        last_payout: time,
        cashout_time: time,
        max_cashout_time: time,
        depth: count,
        children: count,
        parent_author: z.string(),
        parent_permlink: z.string(),
        root_author: z.string(),
        root_permlink: z.string(),
        author_rewards: longInt,
        reward_weight: z.literal(10_000),
        allow_replies: z.literal(true),
        allow_votes: z.boolean(),
        allow_curation_rewards: z.boolean(),
        beneficiaries,
        percent_hbd: count,
        max_accepted_payout: hbd,
        curator_payout_value: hbd,
        total_payout_value: hbd,
        net_votes: z.int(),
        total_vote_weight: longInt,
        vote_rshares: longInt,
        net_rshares: longInt,
        abs_rshares: longInt,
        children_abs_rshares: z.literal(0),
      })
      .meta({ id: 'DatabaseComment' }),
  ),
});

export const databaseVotes = z.strictObject({
  votes: z.array(
    z
      .strictObject({
        id: longInt,
        voter: z.string(),
        author: z.string(),
        permlink: z.string(),
        weight: longInt,
        rshares: longInt,
        vote_percent: z.int(),
        last_update: time,
        num_changes: count,
      })
      .meta({ id: 'DatabaseVote' }),
  ),
});

const example = { amount: '0', precision: 3, nai: '@@000000013' } as const;

export const exampleDatabaseComment = {
  id: 42,
  author: 'alice',
  permlink: 'the-first-swarm',
  category: 'bees',
  title: 'The first swarm',
  body: 'They left the hive at noon.',
  json_metadata: '{"tags":["bees"]}',
  created: '2025-01-15T12:30:45',
  last_update: '2025-01-15T12:30:45',
  last_payout: neverText,
  cashout_time: '2025-01-22T12:30:45',
  max_cashout_time: neverText,
  depth: 0,
  children: 1,
  parent_author: '',
  parent_permlink: 'bees',
  root_author: 'alice',
  root_permlink: 'the-first-swarm',
  author_rewards: 0,
  reward_weight: 10_000,
  allow_replies: true,
  allow_votes: true,
  allow_curation_rewards: true,
  beneficiaries: [],
  percent_hbd: 10_000,
  max_accepted_payout: { ...example, amount: '1000000000' },
  curator_payout_value: example,
  total_payout_value: example,
  net_votes: 1,
  total_vote_weight: 1_000,
  vote_rshares: 1_000_000,
  net_rshares: 1_000_000,
  abs_rshares: 1_000_000,
  children_abs_rshares: 0,
} satisfies z.infer<typeof databaseComments>['comments'][number];

export const exampleDatabaseVote = {
  id: 704_643_079,
  voter: 'bob',
  author: 'alice',
  permlink: 'the-first-swarm',
  weight: 1_000,
  rshares: 1_000_000,
  vote_percent: 10_000,
  last_update: '2025-01-15T12:31:00',
  num_changes: 0,
} satisfies z.infer<typeof databaseVotes>['votes'][number];
