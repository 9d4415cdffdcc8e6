import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type Effects } from '../effects';
import { countVote } from '../posts/vote';
import { chainAmount, chainNumber, chainText } from './chain-text';

/** Virtual: a vote that counts, with what it weighs and what the post would be paid with it. */
export const effectiveCommentVote = onOperation(
  'effective_comment_vote_operation',
  z.object({
    voter: z.string(),
    author: z.string(),
    permlink: chainText,
    rshares: chainNumber,
    pending_payout: chainAmount,
  }),
  (effects: Effects, { voter, rshares, pending_payout: pendingPayout, ...link }, place) => {
    effects.add(place, {
      need: (needs, { time }) => {
        needs.vote(voter, link);
        needs.telling(link.author, voter, time);
      },
      apply: (book, moment) => {
        countVote(book, moment, { voter, link, rshares, pendingPayout });
      },
    });
  },
);
