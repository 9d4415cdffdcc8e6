import { Asset, hbd, hive } from './state/assets';

/** The chain id of Hive's main network, which client libraries sign for by default. */
export const mainnetChainId = 'beeab0de00000000000000000000000000000000000000000000000000000000';

/** HIVE_BLOCK_INTERVAL of hived. */
export const blockIntervalSeconds = 3;

/** HIVE_MAX_TIME_UNTIL_EXPIRATION of hived 1.28. */
export const maxExpirationSeconds = 24 * 60 * 60;

/** The account creation fee, as witnesses of the main network have set it for years. */
export const accountCreationFee = hive(3);

/** Millionths of a VEST for a thousandth of a HIVE. On Hive the price changes, here it does not. */
const vestsPerHive = 2_000_000n;

/** The VESTS that one gets for HIVE, and the other way round. */
export function vestsOf(amount: Asset): Asset {
  return new Asset(amount.units * vestsPerHive, 'VESTS');
}

export function hiveOf(amount: Asset): Asset {
  return new Asset(amount.units / vestsPerHive, 'HIVE');
}

/** The minimum of a delegation and of a change of one: a third and a thirtieth of the account creation fee. */
export const minDelegation = vestsOf(new Asset(accountCreationFee.units / 3n, 'HIVE'));
export const minDelegationChange = vestsOf(new Asset(accountCreationFee.units / 30n, 'HIVE'));

/** `delegation_return_period` of Hive since hardfork 20: five days. */
export const delegationReturnSeconds = 432_000;

/** HIVE_CASHOUT_WINDOW_SECONDS of hived: seven days. */
export const payoutSeconds = 604_800;

/** The hardfork whose rules the chain follows. */
export const hardforkVersion = '1.28.0';

/** The median price of HIVE that witnesses publish; here it is fixed. */
export const hivePrice = { base: hbd(0.25), quote: hive(1) };

/** The account that exists from the start, owns all coins and makes every block. */
export const initMiner = 'initminer';

/** The id of the block before the first, and the Merkle root of a block without transactions. */
export const zeroId = '0'.repeat(40);
