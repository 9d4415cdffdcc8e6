import { type ChainView } from '../chain/chain-view';
import { write } from '../dialect';
import { assertion } from '../errors';
import { accountNamesOf } from '../fields';
import { accountCreationFee, vestsOf } from '../protocol';
import { type NodeSoftware } from '../software';
import { type Account } from '../state/account';
import { vests } from '../state/assets';
import { neverHappened, secondsOf } from '../time';
import { findAccounts } from './objects/account-objects';
import { type Api, named } from './api';

export const rcApi: Api = {
  name: 'rc_api',
  methods: {
    find_rc_accounts({ view, software }, params) {
      return write({ rc_accounts: rcAccounts(view, software, named(params)['accounts'] ?? []) }, 'appbase');
    },

    get_resource_params: () => write(resourceParameters(), 'appbase'),
    get_resource_pool: ({ software }) => write(resourcePools(software), 'appbase'),
  },
};

/** RC_API_SINGLE_QUERY_LIMIT of hived. */
const maxItems = 1000;
/**
 * The adjustment of accounts from before resource credits (HIVE_RC_HISTORICAL_ACCOUNT_CREATION_ADJUSTMENT of hived).
 */
const historicalAdjustment = vests(2020.748973);

/** The objects of find_rc_accounts, of the accounts that exist; amounts are `Asset`s. @throws NodeError */
export function rcAccounts({ state, head }: ChainView, software: NodeSoftware, names: unknown): object[] {
  const accounts = accountNamesOf(names);
  if (accounts.length > maxItems) throw assertion('args.accounts.size() <= RC_API_SINGLE_QUERY_LIMIT');
  return findAccounts(state, accounts).map((account) => rcAccount(account, software, secondsOf(head.timestamp)));
}

/** Returns the object of an account whose credits are all available, since operations cost nothing. */
function rcAccount(account: Account, { hasRcDelegations }: NodeSoftware, now: number): object {
  const adjustment = account.created === neverHappened ? historicalAdjustment : vestsOf(accountCreationFee);
  const usable = account.vests.minus(account.delegatedVests).plus(account.receivedVests);
  const max = usable.plus(adjustment).units;
  return {
    account: account.name,
    rc_manabar: { current_mana: max, last_update_time: now },
    max_rc_creation_adjustment: adjustment,
    max_rc: max,
    ...(hasRcDelegations && { delegated_rc: 0, received_delegated_rc: 0 }),
  };
}

interface Resource {
  readonly unit: number;
  readonly budget: number;
  /** The level at which decay and budget are equal: that of an unused pool. */
  readonly poolEq: bigint;
  readonly maxPool: bigint;
  readonly decay: readonly [perTimeUnit: bigint, denominatorShift: number];
  readonly curve: readonly [a: bigint, b: bigint, shift: number];
}

const bytesDecay = [3_613_026_481n, 51] as const;

/** The parameters of Hive, as a node returned them (openhive-network/devportal, rc_api.yml). */
const resources: Readonly<Record<string, Resource>> = {
  resource_history_bytes: {
    unit: 1,
    budget: 43_403,
    poolEq: 27_050_539_251n,
    maxPool: 54_101_078_501n,
    decay: bytesDecay,
    curve: [14_034_213_032_882_683_904n, 211_332_338n, 52],
  },
  resource_new_accounts: {
    unit: 10_000,
    budget: 797,
    poolEq: 157_691_079n,
    maxPool: 157_691_079n,
    decay: [347_321n, 36],
    curve: [16_484_671_763_857_882_971n, 1_231_961n, 51],
  },
  resource_market_bytes: {
    unit: 10,
    budget: 72_338,
    poolEq: 2_003_755_169n,
    maxPool: 4_007_510_337n,
    decay: [2_540_365_427n, 46],
    curve: [9_979_884_823_383_242_752n, 15_654_337n, 56],
  },
  resource_state_bytes: {
    unit: 1,
    budget: 34_722_222,
    poolEq: 21_640_431_400_373n,
    maxPool: 43_280_862_800_744n,
    decay: bytesDecay,
    curve: [14_034_213_032_882_683_904n, 169_065_870_315n, 52],
  },
  resource_execution_time: {
    unit: 1,
    budget: 10_273_973,
    poolEq: 6_403_196_140_384n,
    maxPool: 12_806_392_280_766n,
    decay: bytesDecay,
    curve: [14_034_213_032_882_683_904n, 50_024_969_847n, 52],
  },
};

/** The sizes of what the devnet implements, from the same answer. */
const sizes = {
  resource_state_bytes: {
    authority_base_size: 40_000,
    authority_account_member_size: 180_000,
    authority_key_member_size: 350_000,
    account_object_base_size: 4_800_000,
    account_authority_object_base_size: 400_000,
    comment_object_base_size: 2_010_000,
    comment_object_permlink_char_size: 10_000,
    comment_object_parent_permlink_char_size: 20_000,
    comment_vote_object_base_size: 24_675,
    transaction_object_base_size: 6090,
    transaction_object_byte_size: 174,
    vesting_delegation_object_base_size: 600_000,
    vesting_delegation_expiration_object_base_size: 440_000,
    STATE_BYTES_SCALE: 10_000,
  },
  resource_execution_time: {
    account_create_operation_exec_time: 57_700,
    account_create_with_delegation_operation_exec_time: 57_700,
    account_update_operation_exec_time: 14_000,
    account_update2_operation_exec_time: 14_000,
    comment_operation_exec_time: 114_100,
    custom_json_operation_exec_time: 11_400,
    delegate_vesting_shares_operation_exec_time: 19_900,
    delete_comment_operation_exec_time: 51_100,
    transfer_operation_exec_time: 9600,
    transfer_to_vesting_operation_exec_time: 44_400,
    vote_operation_exec_time: 26_500,
  },
};

/** get_resource_params. */
function resourceParameters(): object {
  return {
    resource_names: Object.keys(resources),
    resource_params: mapResources(({ curve: [coeff_a, coeff_b, shift], ...resource }) => ({
      resource_dynamics_params: dynamics(resource),
      price_curve_params: { coeff_a, coeff_b, shift },
    })),
    size_info: sizes,
  };
}

/** get_resource_pool: the pools of a chain whose operations cost nothing. */
function resourcePools({ hasRcDelegations }: NodeSoftware): object {
  return {
    resource_pool: mapResources(({ poolEq }) => ({ pool: poolEq, ...(hasRcDelegations && { fill_level: 10_000 }) })),
  };
}

function dynamics({ unit, budget, poolEq, maxPool, decay: [perTimeUnit, shift] }: Omit<Resource, 'curve'>): object {
  return {
    resource_unit: unit,
    budget_per_time_unit: budget,
    pool_eq: poolEq,
    max_pool_size: maxPool,
    decay_params: { decay_per_time_unit: perTimeUnit, decay_per_time_unit_denom_shift: shift },
    min_decay: 0,
  };
}

function mapResources(map: (resource: Resource) => object): object {
  return Object.fromEntries(Object.entries(resources).map(([name, resource]) => [name, map(resource)]));
}
