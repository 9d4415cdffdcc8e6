import { type FollowedOperation, OperationHandlers } from '@waggle/chain';
import { accountCreations } from './account-creations';
import { accountUpdates } from './account-update';
import { comment } from './comment';
import { commentPayoutUpdate } from './comment-payout-update';
import { commentReward } from './comment-reward';
import { commentOptions } from './comment-options';
import { customJson, isWantedCustomJson } from './custom-json';
import { deleteComment } from './delete-comment';
import { effectiveCommentVote } from './effective-comment-vote';
import { isWantedTransfer, transfer } from './transfer';
import { vote } from './vote';

/** The operations that change the index. To add one, write its file and list it here; if it is virtual, also below. */
export const handlers = new OperationHandlers([
  ...accountCreations,
  ...accountUpdates,
  comment,
  commentOptions,
  deleteComment,
  vote,
  effectiveCommentVote,
  commentReward,
  commentPayoutUpdate,
  transfer,
  customJson,
]);

/**
 * Whether the follower passes this operation to the handlers. Most custom ones are of games and other applications, and
 * most transfers are payments.
 */
export function isWanted(operation: Pick<FollowedOperation, 'type' | 'value'>): boolean {
  return isWantedCustomJson(operation) && isWantedTransfer(operation);
}

/**
 * The virtual operations to request from nodes, without the suffix `_operation`. `ineffective_delete_comment` has no
 * handler of its own: the handler of `delete_comment` looks for it.
 */
export const virtualOperations = [
  'effective_comment_vote',
  'comment_reward',
  'comment_payout_update',
  'ineffective_delete_comment',
];

/**
 * Fields that hived did not always have: the totals of a payout were added after Steem 0.19, and the pending payout by
 * the account history of HAF and of hived's RocksDB.
 */
export const requiredFields = new Map([
  ['effective_comment_vote_operation', ['pending_payout']],
  ['comment_reward_operation', ['total_payout_value', 'curator_payout_value', 'beneficiary_payout_value']],
]);
