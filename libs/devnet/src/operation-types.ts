// The type of an operation is a number: operations of transactions come first, then virtual ones, each in the order of
// hived's operations.hpp. The devnet knows only some of them.

const transactionOperations: readonly string[] = [
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

const virtualOperations: readonly string[] = [
  'fill_convert_request',
  'author_reward',
  'curation_reward',
  'comment_reward',
  'liquidity_reward',
  'interest',
  'fill_vesting_withdraw',
  'fill_order',
  'shutdown_witness',
  'fill_transfer_from_savings',
  'hardfork',
  'comment_payout_update',
  'return_vesting_delegation',
  'comment_benefactor_reward',
  'producer_reward',
  'clear_null_account_balance',
  'proposal_pay',
  'dhf_funding',
  'hardfork_hive',
  'hardfork_hive_restore',
  'delayed_voting',
  'consolidate_treasury_balance',
  'effective_comment_vote',
  'ineffective_delete_comment',
  'dhf_conversion',
  'expired_account_notification',
  'changed_recovery_account',
  'transfer_to_vesting_completed',
  'pow_reward',
  'vesting_shares_split',
  'account_created',
  'fill_collateralized_convert_request',
  'system_warning',
  'fill_recurrent_transfer',
  'failed_recurrent_transfer',
  'limit_order_cancelled',
  'producer_missed',
  'proposal_fee',
  'collateralized_convert_immediate_conversion',
  'escrow_approved',
  'escrow_rejected',
  'proxy_cleared',
  'declined_voting_rights',
];

const bitByName = bitsOf([...transactionOperations, ...virtualOperations]);
const virtualBitByName = bitsOf(virtualOperations);

function bitsOf(names: readonly string[]): Map<string, bigint> {
  return new Map(names.map((name, index) => [name, 1n << BigInt(index)]));
}

export function isVirtualOperation(name: string): boolean {
  return virtualBitByName.has(name);
}

/** The bit of an operation in the filter of get_account_history; 0 for unknown names. */
export function operationBit(name: string): bigint {
  return bitByName.get(name) ?? 0n;
}

/** The bit of a virtual operation in the filter of enum_virtual_ops; 0 for other names. */
export function virtualOperationBit(name: string): bigint {
  return virtualBitByName.get(name) ?? 0n;
}
