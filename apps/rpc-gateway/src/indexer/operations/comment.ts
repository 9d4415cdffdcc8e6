import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { commentUpdate } from '../posts/comment-update';
import { chainText } from './value-schemas';

/** Creates or edits a post or a comment. */
export const comment = onOperation(
  'comment_operation',
  z.object({
    parent_author: z.string(),
    parent_permlink: chainText,
    author: z.string(),
    permlink: chainText,
    body: chainText,
  }),
  (updates: IndexUpdates, { parent_author: parentAuthor, parent_permlink: parentPermlink, ...own }, position) => {
    updates.add(position, commentUpdate({ parentAuthor, parentPermlink, ...own }));
  },
);
