import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type Effects } from '../effects';
import { chainAmount, chainText } from './chain-text';

/** Virtual: what a post was paid until now, its author and its curators together. */
export const commentReward = onOperation(
  'comment_reward_operation',
  z.object({
    author: z.string(),
    permlink: chainText,
    total_payout_value: chainAmount,
    curator_payout_value: chainAmount,
  }),
  (effects: Effects, { total_payout_value: ofAuthor, curator_payout_value: ofCurators, ...link }, place) => {
    effects.add(place, {
      need: (needs) => {
        needs.post(link);
      },
      apply: ({ accounts, posts, communities }) => {
        const post = posts.find(accounts.find(link.author)?.id, link.permlink);
        const young = post && posts.young.find(post.id);
        if (young === undefined) return;
        if (!young.isPaid) communities.addPendingPayout(young.communityId, -young.pendingPayout);
        posts.young.put({ ...young, payout: ofAuthor + ofCurators, pendingPayout: 0n });
      },
    });
  },
);
