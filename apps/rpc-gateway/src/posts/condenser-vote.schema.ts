import { z } from 'zod';
import { longInt, time } from './field-schemas';

export const voteShape = { voter: z.string(), reputation: longInt, rshares: longInt };

export const activeVotes = z
  .array(z.strictObject({ ...voteShape, percent: z.int(), time, weight: longInt }))
  .max(1_000)
  .meta({ id: 'ActiveVotes' });

export const exampleVoter = { voter: 'bob', reputation: 0, rshares: 1_000_000 };

export const exampleActiveVote = { ...exampleVoter, percent: 10_000, time: '2025-01-15T12:31:00', weight: 1_000 };
