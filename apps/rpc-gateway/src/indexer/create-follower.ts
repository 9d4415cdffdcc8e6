import { setTimeout } from 'node:timers/promises';
import {
  BlockFollower,
  type BlockFollowerOptions,
  getBlockRange,
  getDynamicGlobalProperties,
  type HiveApi,
  type HiveBlock,
  type HiveNodes,
  HiveRpcError,
} from '@waggle/chain';
import { type Logger, type Queryable, type Registry } from '@waggle/service';
import { followerDatabase, observeFollowers } from '@waggle/service/chain';
import { type IndexerConfig } from '../config';
import { initializeIndexState } from '../index-state/index-state';
import { applyBlocks } from './apply-blocks';
import { HiveAccountLookup } from '../accounts/account-lookup';
import { hasAccountsBefore } from '../accounts/older-accounts';
import { followerName } from './names';
import { handlers, virtualOperations } from './operations';
import { isWanted } from './operations/custom-json';
import { firstNotificationTime } from './retention-period';

/** Blocks per transaction while the index catches up. More gain little: a statement then has thousands of rows. */
const maxTransactionBlocks = 1_000;

interface GatewayFollowerOptions {
  readonly config: IndexerConfig;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly hive: HiveNodes;
  /** As of `BlockFollowerOptions`. */
  readonly limitBatch: NonNullable<BlockFollowerOptions['limitBatch']>;
}

/** Creates the follower that applies the blocks of the chain to the index. */
export function createFollower({ config, logger, metrics, hive, limitBatch }: GatewayFollowerOptions): BlockFollower {
  const accountLookup = new HiveAccountLookup(hive);
  const { notificationDays } = config;
  return new BlockFollower({
    api: hive,
    observe: observeFollowers(metrics, logger),
    database: followerDatabase(config.database.url),
    name: followerName,
    virtualOperations,
    operationTypes: handlers.types,
    isWanted,
    batchBlocks: config.blocksPerBatch,
    transactionBlocks: maxTransactionBlocks,
    pollIntervalMs: config.pollIntervalMs,
    start: (client, signal) => initializeIndex(client, signal, hive, config),
    limitBatch,
    apply: (client, blocks) => applyBlocks(client, blocks, { accountLookup, notificationDays }),
  });
}

/** Stores where the index begins, and since when it has notifications. Accounts that are older are looked up on nodes. */
async function initializeIndex(
  client: Queryable,
  signal: AbortSignal,
  hive: HiveNodes,
  { startBlock, notificationDays }: IndexerConfig,
): Promise<number> {
  const before = await getBlock(hive, Math.max(1, startBlock - 1), signal);
  const { time } = await getDynamicGlobalProperties(hive);
  // A node may claim a head in the future.
  const headTime = new Date(Math.min(time.getTime(), Date.now()));
  const notificationsFrom = firstNotificationTime(headTime, notificationDays);
  const begins = before.timestamp;
  const firstBlock = (await isWholeChain(hive, startBlock, begins)) ? 1 : startBlock;
  await initializeIndexState(client, { begins, firstBlock, notificationDays, notificationsFrom });
  return startBlock;
}

/** Without an account there was nothing to index: such an index contains the whole chain, whatever its first block. */
async function isWholeChain(hive: HiveNodes, startBlock: number, begins: Date): Promise<boolean> {
  if (startBlock === 1) return true;
  try {
    return !(await hasAccountsBefore(hive, begins));
  } catch (error) {
    // Unknown, so that the API forwards calls.
    if (error instanceof HiveRpcError) return false;
    throw error;
  }
}

const pollIntervalMs = 1_000;

/** Waits until the block exists. */
async function getBlock(hive: HiveApi, number: number, signal: AbortSignal): Promise<HiveBlock> {
  for (;;) {
    const [block] = await getBlockRange(hive, number, 1);
    if (block !== undefined) return block;
    await setTimeout(pollIntervalMs, undefined, { signal });
  }
}
