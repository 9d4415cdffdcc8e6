import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { changePayout } from '../posts/payouts';
import { chainText } from './value-schemas';

/** Virtual operation: a post was paid out, and later votes do not count. */
export const commentPayoutUpdate = onOperation(
  'comment_payout_update_operation',
  z.object({ author: z.string(), permlink: chainText }),
  (updates: IndexUpdates, link, position) => {
    updates.add(position, {
      declareReads: (readSet) => {
        readSet.addPost(link);
        readSet.addRolesOf(link.author);
      },
      apply: (changeset) => {
        const paidAt = position.block.timestamp;
        changePayout(changeset, link, () => ({ isPaid: true, paidAt, pendingPayout: 0n, totalVoteWeight: 0n }));
      },
    });
  },
);
