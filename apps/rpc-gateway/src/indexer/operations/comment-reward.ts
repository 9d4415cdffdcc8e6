import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { changePayout } from '../posts/payouts';
import { chainAmount, chainNumber, chainText } from './value-schemas';

/** Virtual operation: a payout of a post to its author, curators and beneficiaries. */
export const commentReward = onOperation(
  'comment_reward_operation',
  z.object({
    author: z.string(),
    permlink: chainText,
    author_rewards: chainNumber,
    total_payout_value: chainAmount,
    curator_payout_value: chainAmount,
    beneficiary_payout_value: chainAmount,
  }),
  (updates: IndexUpdates, { author, permlink, ...paid }, position) => {
    const link = { author, permlink };
    updates.add(position, {
      declareReads: (readSet) => {
        readSet.addPost(link);
      },
      apply: (changeset) => {
        changePayout(changeset, link, ({ authorRewards }) => ({
          authorPayout: paid.total_payout_value,
          curatorPayout: paid.curator_payout_value,
          beneficiaryPayout: paid.beneficiary_payout_value,
          authorRewards: authorRewards + paid.author_rewards,
          pendingPayout: 0n,
          paidAt: position.block.timestamp,
        }));
      },
    });
  },
);
