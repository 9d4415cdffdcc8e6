import { type ChainView } from '../../chain/chain-view';
import { blockIntervalSeconds, hardforkVersion, hivePrice, initMiner } from '../../protocol';
import { neverHappened, secondsOf } from '../../time';
import { chainProperties } from './chain-objects';

/** HIVE_MAX_WITNESSES of hived. */
const maxWitnesses = 21;

/**
 * The scheduled witnesses: the one that makes all blocks, and empty names for the others, as on a chain with too few of
 * them.
 */
export function activeWitnesses(): readonly string[] {
  return [initMiner, ...Array<string>(maxWitnesses - 1).fill('')];
}

/**
 * get_witness_schedule; amounts are `Asset`s. The resources for accounts are as on Hive (hive's tests,
 * get_witness_schedule).
 */
export function witnessSchedule({ head }: ChainView, includesFuture: boolean): object {
  return {
    id: 0,
    current_virtual_time: '0',
    next_shuffle_block_num: head.number + 1,
    current_shuffled_witnesses: activeWitnesses(),
    ...(includesFuture && { future_shuffled_witnesses: activeWitnesses() }),
    num_scheduled_witnesses: 1,
    elected_weight: 1,
    timeshare_weight: 5,
    miner_weight: 1,
    witness_pay_normalization_factor: 25,
    median_props: chainProperties(),
    majority_version: hardforkVersion,
    max_voted_witnesses: 20,
    max_miner_witnesses: 0,
    max_runner_witnesses: 1,
    hardfork_required_witnesses: 17,
    account_subsidy_rd: subsidy(797, 157_691_079, 347_321, 0),
    account_subsidy_witness_rd: subsidy(996, 9_384_019, 7_293_741, 194),
    min_witness_account_subsidy_decay: 0,
  };
}

/** A witness as database_api and condenser_api write it; amounts are `Asset`s. Undefined if the account is none. */
export function findWitness(view: ChainView, name: string): object | undefined {
  if (name !== initMiner) return undefined;
  const { head } = view;
  const began = view.findBlock(1)?.timestamp ?? head.timestamp;
  const slots = (secondsOf(head.timestamp) - secondsOf(began)) / blockIntervalSeconds + 1;
  return {
    id: 0,
    owner: initMiner,
    created: neverHappened,
    url: '',
    votes: 0,
    virtual_last_update: '0',
    virtual_position: '0',
    virtual_scheduled_time: '0',
    total_missed: slots - head.number,
    last_aslot: slots,
    last_confirmed_block_num: head.number,
    pow_worker: 0,
    signing_key: head.signingKey,
    props: chainProperties(),
    hbd_exchange_rate: hivePrice,
    last_hbd_exchange_update: began,
    last_work: '0'.repeat(64),
    running_version: hardforkVersion,
    hardfork_version_vote: hardforkVersion,
    hardfork_time_vote: began,
    available_witness_account_subsidies: 0,
  };
}

/** Witnesses by votes, from the first one that is not before the name. */
export function witnessesByVote(view: ChainView, start: string, limit: number): object[] {
  const witness = start <= initMiner ? findWitness(view, initMiner) : undefined;
  return witness && limit > 0 ? [witness] : [];
}

function subsidy(budget: number, pool: number, decay: number, minDecay: number): object {
  return {
    resource_unit: 10_000,
    budget_per_time_unit: budget,
    pool_eq: pool,
    max_pool_size: pool,
    decay_params: { decay_per_time_unit: decay, decay_per_time_unit_denom_shift: 36 },
    min_decay: minDecay,
  };
}
