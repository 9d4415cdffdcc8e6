import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { castVote } from '../posts/vote';
import { chainPercent, chainText } from './value-schemas';

/** A vote with the weight that the voter chose. The chain follows it with an `effective_comment_vote`, if it counts. */
export const vote = onOperation(
  'vote_operation',
  z.object({ voter: z.string(), author: z.string(), permlink: chainText, weight: chainPercent }),
  (updates: IndexUpdates, { voter, weight: percent, ...link }, position) => {
    updates.add(position, {
      declareReads: (readSet) => {
        readSet.addVote(voter, link);
      },
      apply: (changeset, time) => {
        castVote(changeset, time, { voter, link, percent, rules: updates.rules });
      },
    });
  },
);
