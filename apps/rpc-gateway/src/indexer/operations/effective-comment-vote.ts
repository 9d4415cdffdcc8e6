import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { countVote } from '../posts/vote';
import { chainAmount, chainNumber, chainText } from './value-schemas';

/** Virtual operation: a vote with its weight and the resulting pending payout of the post. */
export const effectiveCommentVote = onOperation(
  'effective_comment_vote_operation',
  z.object({
    voter: z.string(),
    author: z.string(),
    permlink: chainText,
    rshares: chainNumber,
    pending_payout: chainAmount,
  }),
  (updates: IndexUpdates, { voter, rshares, pending_payout: pendingPayout, ...link }, position) => {
    updates.add(position, {
      declareReads: (readSet, time) => {
        readSet.addVote(voter, link);
        readSet.addMuteCheck(link.author, voter, time);
      },
      apply: (changeset, time) => {
        countVote(changeset, time, { voter, link, rshares, pendingPayout });
      },
    });
  },
);
