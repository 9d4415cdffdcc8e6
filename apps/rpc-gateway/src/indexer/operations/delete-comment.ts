import { onOperation, type OperationPlace } from '@waggle/chain';
import { z } from 'zod';
import { type Book } from '../book/book';
import { type Effects } from '../effects';
import { type PostLink } from '../needs';
import { chainText } from './chain-text';

const link = z.object({ author: z.string(), permlink: chainText });

/** Deletes a post, unless the chain says afterwards that it has not. */
export const deleteComment = onOperation('delete_comment_operation', link, (effects: Effects, deleted, place) => {
  if (wasInVain(place, deleted)) return;
  effects.add(place, {
    need: (needs) => {
      needs.post(deleted);
      needs.member(deleted.author);
    },
    apply: (book) => {
      deletePost(book, deleted);
    },
  });
});

/** In the first years what had been voted for could not be deleted, and the operation did nothing. */
function wasInVain({ block, operation }: OperationPlace, { author, permlink }: PostLink): boolean {
  return block.operations.some(({ type, transactionId, value }) => {
    if (type !== 'ineffective_delete_comment_operation' || transactionId !== operation.transactionId) return false;
    const { data } = link.safeParse(value);
    return data?.author === author && data.permlink === permlink;
  });
}

function deletePost({ accounts, posts, reblogs, communities }: Book, { author, permlink }: PostLink): void {
  const post = posts.find(accounts.find(author)?.id, permlink);
  if (post === undefined) return;
  const young = posts.young.find(post.id);
  if (young && !young.isPaid) {
    communities.countPending(young.communityId, young.authorId, -1);
    communities.addPendingPayout(young.communityId, -young.pendingPayout);
  }
  posts.delete(post);
  reblogs.removeAll(post.id);
}
