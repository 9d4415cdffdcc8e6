import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type Effects } from '../effects';
import { chainText } from './chain-text';

/** Virtual: a post is paid. Votes on it are over. */
export const commentPayoutUpdate = onOperation(
  'comment_payout_update_operation',
  z.object({ author: z.string(), permlink: chainText }),
  (effects: Effects, link, place) => {
    effects.add(place, {
      need: (needs) => {
        needs.post(link);
        needs.member(link.author);
      },
      apply: ({ accounts, posts, communities }) => {
        const post = posts.find(accounts.find(link.author)?.id, link.permlink);
        const young = post && posts.young.find(post.id);
        if (young === undefined) return;
        posts.closeVotes(young.postId);
        if (young.isPaid) return;
        communities.countPending(young.communityId, young.authorId, -1);
        communities.addPendingPayout(young.communityId, -young.pendingPayout);
        posts.young.put({ ...young, isPaid: true, pendingPayout: 0n });
      },
    });
  },
);
