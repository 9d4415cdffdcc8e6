import { z } from 'zod';
import { activeVotes, exampleActiveVote, exampleVoter, voteShape } from './condenser-vote.schema';
import { beneficiaries, count, hbd, longInt, time } from './field-schemas';
import { neverText } from './times';

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
