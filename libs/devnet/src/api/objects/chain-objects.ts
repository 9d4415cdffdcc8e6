import { hbd, hive, vests } from '../../state/assets';
import { type ChainView } from '../../chain/chain-view';
import { fullPercent } from '../../percent';
import { type NodeSoftware } from '../../software';
import {
  accountCreationFee,
  blockIntervalSeconds,
  hardforkVersion,
  initMiner,
  maxExpirationSeconds,
  zeroId,
} from '../../protocol';

const maxBlockBytes = 65_536;

/** get_dynamic_global_properties; amounts are `Asset`s. Supplies stay as in the first block. */
export function globalProperties(view: ChainView): object {
  const { head, lastIrreversible, delegationReturnSeconds } = view;
  return {
    id: 0,
    head_block_number: head.number,
    head_block_id: head.id,
    time: head.timestamp,
    current_witness: initMiner,
    total_pow: 0,
    num_pow_witnesses: 0,
    virtual_supply: hive(1_000_000_000),
    current_supply: hive(1_000_000_000),
    init_hbd_supply: hbd(0),
    current_hbd_supply: hbd(1_000_000_000),
    total_vesting_fund_hive: hive(500_000),
    total_vesting_shares: vests(1_000_000_000),
    total_reward_fund_hive: hive(0),
    total_reward_shares2: '0',
    pending_rewarded_vesting_shares: vests(0),
    pending_rewarded_vesting_hive: hive(0),
    hbd_interest_rate: 0,
    hbd_print_rate: fullPercent,
    maximum_block_size: maxBlockBytes,
    required_actions_partition_percent: 0,
    current_aslot: head.number,
    recent_slots_filled: '340282366920938463463374607431768211455',
    participation_count: 128,
    last_irreversible_block_num: lastIrreversible,
    vote_power_reserve_rate: 10,
    delegation_return_period: delegationReturnSeconds,
    reverse_auction_seconds: 0,
    available_account_subsidies: 0,
    hbd_stop_percent: 2000,
    hbd_start_percent: 1000,
    next_maintenance_time: head.timestamp,
    last_budget_time: head.timestamp,
    next_daily_maintenance_time: head.timestamp,
    content_reward_percent: 6500,
    vesting_reward_percent: 1500,
    proposal_fund_percent: 1000,
    dhf_interval_ledger: hbd(0),
    downvote_pool_percent: 2500,
    current_remove_threshold: 200,
    early_voting_seconds: 86_400,
    mid_voting_seconds: 172_800,
    max_consecutive_recurrent_transfer_failures: 10,
    max_recurrent_transfer_end_date: 730,
    min_recurrent_transfers_recurrence: 24,
    max_open_recurrent_transfers: 255,
  };
}

/** get_config, with the constants that clients read. */
export function config({ chainId }: ChainView, { version }: NodeSoftware): object {
  return {
    IS_TEST_NET: false,
    HIVE_ADDRESS_PREFIX: 'STM',
    HIVE_BLOCKCHAIN_VERSION: version,
    HIVE_BLOCK_INTERVAL: blockIntervalSeconds,
    HIVE_BLOCKS_PER_DAY: (24 * 60 * 60) / blockIntervalSeconds,
    HIVE_CHAIN_ID: chainId,
    HIVE_INIT_MINER_NAME: initMiner,
    HIVE_MAX_ACCOUNT_NAME_LENGTH: 16,
    HIVE_MIN_ACCOUNT_NAME_LENGTH: 3,
    HIVE_MAX_BLOCK_SIZE: 2_097_152,
    HIVE_MAX_MEMO_SIZE: 2048,
    HIVE_MAX_TIME_UNTIL_EXPIRATION: maxExpirationSeconds,
    HIVE_MAX_WITNESSES: 21,
    HIVE_IRREVERSIBLE_THRESHOLD: 7500,
  };
}

export function version({ chainId }: ChainView, { version }: NodeSoftware): object {
  return {
    blockchain_version: version,
    hive_revision: zeroId,
    fc_revision: zeroId,
    chain_id: chainId,
    node_type: 'mainnet',
  };
}

export function hardforkProperties(): object {
  return {
    id: 0,
    processed_hardforks: [],
    last_hardfork: 28,
    current_hardfork_version: hardforkVersion,
    next_hardfork: '0.0.0',
    next_hardfork_time: '1970-01-01T00:00:00',
  };
}

/** get_chain_properties: the values that witnesses vote on. */
export function chainProperties(): object {
  return {
    account_creation_fee: accountCreationFee,
    maximum_block_size: maxBlockBytes,
    hbd_interest_rate: 0,
    account_subsidy_budget: 797,
    account_subsidy_decay: 347_321,
  };
}
