import { onOperation, type OperationPosition } from '@waggle/chain';
import { z } from 'zod';
import { type Changeset } from '../changeset/changeset';
import { type IndexUpdates } from '../changeset/index-updates';
import { type PostLink } from '../changeset/read-set';
import { endPayout } from '../posts/payouts';
import { chainText } from './value-schemas';

const postLink = z.object({ author: z.string(), permlink: chainText });

/** Deletes a post, unless a virtual operation in the same transaction says that it had no effect. */
export const deleteComment = onOperation(
  'delete_comment_operation',
  postLink,
  (updates: IndexUpdates, deleted, position) => {
    if (hadNoEffect(position, deleted)) return;
    updates.add(position, {
      declareReads: (readSet) => {
        readSet.addThread(deleted);
        // The author's counts of unpaid posts, by community.
        readSet.addRolesOf(deleted.author);
      },
      apply: (changeset) => {
        deletePost(changeset, deleted);
      },
    });
  },
);

/**
 * Whether a virtual operation says that the deletion had no effect, such as for a post with positive votes before
 * hardfork 19.
 */
function hadNoEffect({ block, operation }: OperationPosition, { author, permlink }: PostLink): boolean {
  return block.operations.some(({ type, transactionId, value }) => {
    if (type !== 'ineffective_delete_comment_operation' || transactionId !== operation.transactionId) return false;
    const { data } = postLink.safeParse(value);
    return data?.author === author && data.permlink === permlink;
  });
}

function deletePost(changeset: Changeset, { author, permlink }: PostLink): void {
  const { accounts, posts } = changeset;
  const post = posts.find(accounts.find(author)?.id, permlink);
  if (post === undefined) return;
  endPayout(changeset, post);
  posts.delete(post);
}
