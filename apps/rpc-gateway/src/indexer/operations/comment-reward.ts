import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { chainAmount, chainText } from './value-schemas';

/** Hard forks 12 and 17, when the chain began to pay posts twice, and when it ended (0_12.hf and 0_17.hf of hived). */
const paidTwice = { from: Date.UTC(2016, 6, 26, 15), until: Date.UTC(2017, 2, 30, 15) };

/**
 * Whether a payout may be the first of two. hived then removes the votes (`cashout_comment_helper`), but announces only
 * the last payout by `comment_payout_update`.
 */
function mayBePaidAgain(time: Date): boolean {
  return time.getTime() >= paidTwice.from && time.getTime() < paidTwice.until;
}

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
      apply: ({ accounts, posts, communities }, time) => {
        const post = posts.find(accounts.find(link.author)?.id, link.permlink);
        if (post && mayBePaidAgain(time)) posts.closeVotes(post.id);
        const young = post && posts.young.find(post.id);
        if (young === undefined) return;
        if (!young.isPaid) communities.addPendingPayout(young.communityId, -young.pendingPayout);
        posts.young.put({ ...young, payout: toAuthor + toCurators, pendingPayout: 0n });
      },
    });
  },
);
