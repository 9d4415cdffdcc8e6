/**
 * The virtual operations of Hive in the order of their types and of the bits in the filter of
 * account_history_api.enum_virtual_ops (hived's enum_vops_filter). The devnet emits only some of them.
 */
export const virtualOperations: readonly string[] = [
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

/** Returns the bit of a virtual operation in the filter; 0 for other names. */
export function filterBit(name: string): bigint {
  const bit = virtualOperations.indexOf(name);
  return bit < 0 ? 0n : 1n << BigInt(bit);
}
