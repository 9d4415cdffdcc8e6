import { z } from 'zod';
import { count, longInt, time } from './field-schemas';

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
