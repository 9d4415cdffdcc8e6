import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
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
      apply: ({ accounts, posts, communities }) => {
        const post = posts.find(accounts.find(link.author)?.id, link.permlink);
        if (post === undefined) return;
        posts.closeVotes(post.id);
        const young = posts.young.find(post.id);
        if (young === undefined || young.isPaid) return;
        communities.countUnpaid(young.communityId, young.authorId, -1);
        communities.addPendingPayout(young.communityId, -young.pendingPayout);
        posts.young.put({ ...young, isPaid: true, pendingPayout: 0n });
      },
    });
  },
);
