import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { chainAmount, chainText } from './value-schemas';

/** Virtual operation: the total payout of a post to its author and curators. */
export const commentReward = onOperation(
  'comment_reward_operation',
  z.object({
    author: z.string(),
    permlink: chainText,
    total_payout_value: chainAmount,
    curator_payout_value: chainAmount,
  }),
  (updates: IndexUpdates, { total_payout_value: toAuthor, curator_payout_value: toCurators, ...link }, position) => {
    updates.add(position, {
      declareReads: (readSet) => {
        readSet.addPost(link);
      },
      apply: ({ accounts, posts, communities }) => {
        const post = posts.find(accounts.find(link.author)?.id, link.permlink);
        const young = post && posts.young.find(post.id);
        if (young === undefined) return;
        if (!young.isPaid) communities.addPendingPayout(young.communityId, -young.pendingPayout);
        posts.young.put({ ...young, payout: toAuthor + toCurators, pendingPayout: 0n });
      },
    });
  },
);
