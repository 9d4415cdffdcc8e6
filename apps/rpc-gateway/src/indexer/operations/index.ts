import { OperationHandlers } from '@waggle/chain';
import { accountCreate } from './account-create';
import { accountCreateWithDelegation } from './account-create-with-delegation';
import { accountUpdate } from './account-update';
import { accountUpdate2 } from './account-update2';
import { comment } from './comment';
import { commentPayoutUpdate } from './comment-payout-update';
import { commentReward } from './comment-reward';
import { createClaimedAccount } from './create-claimed-account';
import { customJson } from './custom-json';
import { deleteComment } from './delete-comment';
import { effectiveCommentVote } from './effective-comment-vote';
import { pow } from './pow';
import { pow2 } from './pow2';

/** The operations that change the index. To add one, write its file and list it here. */
export const handlers = new OperationHandlers([
  accountCreate,
  accountCreateWithDelegation,
  createClaimedAccount,
  pow,
  pow2,
  accountUpdate,
  accountUpdate2,
  comment,
  deleteComment,
  effectiveCommentVote,
  commentReward,
  commentPayoutUpdate,
  customJson,
]);

/** The virtual operations among them, and the one for deletions without effect; without the suffix `_operation`. */
export const virtualOperations = [
  'effective_comment_vote',
  'comment_reward',
  'comment_payout_update',
  'ineffective_delete_comment',
];
