import { setTimeout } from 'node:timers/promises';
import {
  BlockFollower,
  type BlockFollowerOptions,
  type FollowedBlock,
  type FollowerStatus,
  getBlockRange,
  getDynamicGlobalProperties,
  type HiveApi,
  type HiveBlock,
  type HiveNodes,
  HiveRpcError,
} from '@waggle/chain';
import { type Logger, type Queryable, type Registry } from '@waggle/service';
import { followerDatabase, observeFollowers } from '@waggle/service/chain';
import { followerName, initializeIndexState } from '../index-state/index-state';
import { applyBlocks } from './apply-blocks';
import { HiveAccountLookup } from '../accounts/account-lookup';
import { hasAccountsBefore } from '../accounts/older-accounts';
import { handlers, isWanted, requiredFields, virtualOperations } from './operations';
import { type NetworkRules, readNetworkRules } from './network-rules';
import { firstNotificationTime } from './changeset/retention-period';

/**
 * Blocks per transaction while the index catches up. More would gain little: a statement then has thousands of rows.
 */
const maxTransactionBlocks = 1_000;

/**
 * How often `isWholeChain` asks: nodes may reject a call for a moment, as by a rate limit, and its result counts until
 * the next reindex.
 */
const maxAttempts = 5;
const retryPauseMs = 1_000;

export interface FollowerSettings {
  readonly database: { readonly url: string };
  /** The first block of an empty database. */
  readonly startBlock: number;
  /** Retention of notifications, in days of block time. */
  readonly notificationDays: number;
  /** Retention of post bodies, in days of block time; null for ever. At least `notificationDays`. */
  readonly bodyDays: number | null;
  /** Whether votes are kept when their post is paid. */
  readonly keepsVotes: boolean;
  readonly blocksPerBatch: number;
  readonly pollIntervalMs: number;
}

interface GatewayFollowerOptions {
  readonly settings: FollowerSettings;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly hive: HiveNodes;
  /** As in `BlockFollowerOptions`. */
  readonly limitBatch: NonNullable<BlockFollowerOptions['limitBatch']>;
}

/** Creates the follower that applies the blocks of the chain to the index. */
export function createFollower({ settings, logger, metrics, hive, limitBatch }: GatewayFollowerOptions): BlockFollower {
  const accountLookup = new HiveAccountLookup(hive);
  const { notificationDays, bodyDays, keepsVotes } = settings;
  const retention = { notificationDays, bodyDays, keepsVotes };
  let rules: NetworkRules | undefined;
  const follower = new BlockFollower({
    api: hive,
    observe: observeFollowers(metrics, logger),
    database: followerDatabase(settings.database.url),
    name: followerName,
    virtualOperations,
    requiredFields,
    operationTypes: handlers.types,
    isWanted,
    batchBlocks: settings.blocksPerBatch,
    transactionBlocks: maxTransactionBlocks,
    pollIntervalMs: settings.pollIntervalMs,
    start: (client, signal) => initializeIndex(client, signal, hive, settings),
    limitBatch,
    apply: async (client, blocks) => {
      rules ??= await readNetworkRules(hive);
      const isAtHead = isNearHead(blocks, follower.status());
      await applyBlocks(client, blocks, { accountLookup, rules, retention, isAtHead });
    },
  });
  return follower;
}

/** Whether the blocks after these are at most about one transaction. */
function isNearHead(blocks: readonly FollowedBlock[], { irreversibleBlock }: FollowerStatus): boolean {
  const last = blocks.at(-1)?.number ?? 0;
  return irreversibleBlock !== undefined && last > irreversibleBlock - maxTransactionBlocks;
}

/** Stores where the index begins, and since when it has notifications. @returns the first block to apply */
async function initializeIndex(
  client: Queryable,
  signal: AbortSignal,
  hive: HiveNodes,
  { startBlock, notificationDays, bodyDays, keepsVotes }: FollowerSettings,
): Promise<number> {
  // An index of the whole chain begins at block 1, wherever it started: digests cover the beginning.
  const firstBlock = (await isWholeChain(hive, startBlock, signal)) ? 1 : startBlock;
  const before = await getBlock(hive, Math.max(1, firstBlock - 1), signal);
  const { time } = await getDynamicGlobalProperties(hive);
  // A node may claim a head in the future.
  const headTime = new Date(Math.min(time.getTime(), Date.now()));
  const notificationsFrom = firstNotificationTime(headTime, notificationDays);
  const retention = { notificationDays, notificationsFrom, bodyDays, hasVotes: keepsVotes };
  await initializeIndexState(client, { begins: before.timestamp, firstBlock, ...retention });
  return startBlock;
}

/**
 * Whether the index will contain the whole chain: no account existed before its first block, so there was nothing to
 * index.
 */
async function isWholeChain(hive: HiveNodes, startBlock: number, signal: AbortSignal): Promise<boolean> {
  if (startBlock === 1) return true;
  const before = await getBlock(hive, startBlock - 1, signal);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return !(await hasAccountsBefore(hive, before.timestamp));
    } catch (error) {
      if (!(error instanceof HiveRpcError)) throw error;
      // The nodes do not list accounts. An index that may lack blocks must not count as complete.
      if (attempt === maxAttempts) return false;
      await setTimeout(retryPauseMs, undefined, { signal });
    }
  }
}

/** Waits until the block exists. */
async function getBlock(hive: HiveApi, number: number, signal: AbortSignal): Promise<HiveBlock> {
  for (;;) {
    const [block] = await getBlockRange(hive, number, 1);
    if (block !== undefined) return block;
    await setTimeout(retryPauseMs, undefined, { signal });
  }
}
