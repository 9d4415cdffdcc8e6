import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { rsharesScale } from '../network-rules';
import { countVote } from '../posts/vote';
import { chainAmount, chainNumber, chainText } from './value-schemas';

/** Virtual operation: a vote with its weight and the resulting pending payout of the post. */
export const effectiveCommentVote = onOperation(
  'effective_comment_vote_operation',
  z.object({
    voter: z.string(),
    author: z.string(),
    permlink: chainText,
    weight: chainNumber,
    rshares: chainNumber,
    total_vote_weight: chainNumber,
    pending_payout: chainAmount,
  }),
  (updates: IndexUpdates, { voter, author, permlink, ...counted }, position) => {
    const link = { author, permlink };
    const { weight, rshares, total_vote_weight: totalVoteWeight, pending_payout: pendingPayout } = counted;
    updates.add(position, {
      declareReads: (readSet, time) => {
        readSet.addVote(voter, link);
        readSet.addMuteCheck(link.author, voter, time);
      },
      apply: (changeset, time) => {
        const scale = rsharesScale(updates.rules, time);
        countVote(changeset, time, { voter, link, weight, rshares, scale, totalVoteWeight, pendingPayout });
      },
    });
  },
);
