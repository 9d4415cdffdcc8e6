import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type Effects } from '../effects';
import { writingOf } from '../posts/writing';
import { chainText } from './chain-text';

/** A post or a comment, new or edited. */
export const comment = onOperation(
  'comment_operation',
  z.object({
    parent_author: z.string(),
    parent_permlink: chainText,
    author: z.string(),
    permlink: chainText,
    body: chainText,
  }),
  (effects: Effects, { parent_author: parentAuthor, parent_permlink: parentPermlink, ...own }, place) => {
    effects.add(place, writingOf({ parentAuthor, parentPermlink, ...own }));
  },
);
