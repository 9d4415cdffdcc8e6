import { virtualOperations } from './virtual-operations';

/**
 * The operations of transactions, in the order of hived's operations.hpp. Virtual ones follow. The devnet knows only
 * some of them.
 */
const realOperations: readonly string[] = [
  'vote',
  'comment',
  'transfer',
  'transfer_to_vesting',
  'withdraw_vesting',
  'limit_order_create',
  'limit_order_cancel',
  'feed_publish',
  'convert',
  'account_create',
  'account_update',
  'witness_update',
  'account_witness_vote',
  'account_witness_proxy',
  'pow',
  'custom',
  'report_over_production',
  'delete_comment',
  'custom_json',
  'comment_options',
  'set_withdraw_vesting_route',
  'limit_order_create2',
  'claim_account',
  'create_claimed_account',
  'request_account_recovery',
  'recover_account',
  'change_recovery_account',
  'escrow_transfer',
  'escrow_dispute',
  'escrow_release',
  'pow2',
  'escrow_approve',
  'transfer_to_savings',
  'transfer_from_savings',
  'cancel_transfer_from_savings',
  'custom_binary',
  'decline_voting_rights',
  'reset_account',
  'set_reset_account',
  'claim_reward_balance',
  'delegate_vesting_shares',
  'account_create_with_delegation',
  'witness_set_properties',
  'account_update2',
  'create_proposal',
  'update_proposal_votes',
  'remove_proposal',
  'update_proposal',
  'collateralized_convert',
  'recurrent_transfer',
];

const typeByName = new Map([...realOperations, ...virtualOperations].map((name, type) => [name, BigInt(type)]));

/** Returns the bit of an operation in the filter of get_account_history; 0 for unknown names. */
export function operationBit(name: string): bigint {
  const type = typeByName.get(name);
  return type === undefined ? 0n : 1n << type;
}
