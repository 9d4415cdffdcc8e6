import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { commentUpdate } from '../posts/comment-update';
import { boundedText, chainText } from './value-schemas';

/** Creates or edits a post or a comment. */
export const comment = onOperation(
  'comment_operation',
  z.object({
    parent_author: z.string(),
    parent_permlink: chainText,
    author: z.string(),
    permlink: chainText,
    title: boundedText,
    body: boundedText,
    json_metadata: boundedText,
  }),
  (updates: IndexUpdates, { parent_author, parent_permlink, json_metadata, ...own }, position) => {
    const names = { parentAuthor: parent_author, parentPermlink: parent_permlink, jsonMetadata: json_metadata };
    updates.add(position, commentUpdate({ ...names, ...own }));
  },
);
