import { hive } from './assets';

/** The chain id of Hive's main network, which client libraries sign for by default. */
export const mainnetChainId = 'beeab0de00000000000000000000000000000000000000000000000000000000';

/** HIVE_BLOCK_INTERVAL of hived. */
export const blockIntervalSeconds = 3;

/** HIVE_MAX_TIME_UNTIL_EXPIRATION of hived 1.28. */
export const maxExpirationSeconds = 24 * 60 * 60;

/** What creating an account costs, as witnesses of the main network have set it for years. */
export const accountCreationFee = hive(3);

/** The account that exists from the start, owns all coins and makes every block. */
export const initMiner = 'initminer';

/** The id of the block before the first, and the Merkle root of a block without transactions. */
export const zeroId = '0'.repeat(40);
