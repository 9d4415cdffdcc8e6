import { z } from 'zod';
import { beneficiaries, count, longInt, time } from './field-schemas';
import { neverText } from './times';

const hbdObject = z.strictObject({ amount: z.string().regex(/^-?\d+$/), precision: z.literal(3), nai: z.string() });

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
        max_accepted_payout: hbdObject,
        curator_payout_value: hbdObject,
        total_payout_value: hbdObject,
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

const exampleZero = { amount: '0', precision: 3, nai: '@@000000013' } as const;

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
  max_accepted_payout: { ...exampleZero, amount: '1000000000' },
  curator_payout_value: exampleZero,
  total_payout_value: exampleZero,
  net_votes: 1,
  total_vote_weight: 1_000,
  vote_rshares: 1_000_000,
  net_rshares: 1_000_000,
  abs_rshares: 1_000_000,
  children_abs_rshares: 0,
} satisfies z.infer<typeof databaseComments>['comments'][number];
