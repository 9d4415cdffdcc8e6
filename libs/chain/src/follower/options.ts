import { type ClientBase } from 'pg';
import { maxBlocksPerRange } from '../api/block-api';
import { type HiveNodes } from '../node/hive-nodes';
import { type FollowedBlock, type IsWanted } from './followed-block';
import { type ObserveFollower } from './follower-observer';
import { defaultStorageDelayMs } from './reading/storage-delay';
import { type RequiredFields } from './reading/verified-virtual-operations';

/** The database of a follower, and what the follower must know of its errors and connections. */
export interface FollowerDatabase {
  /**
   * The follower opens one connection of its own, which holds the lock and runs the transactions. It must reach the
   * server itself, not a pooler that shares connections between transactions.
   */
  readonly url: string;
  /** Whether an error means that the database cannot serve at the moment, so that the same may succeed later. */
  isUnavailable(error: unknown): boolean;
  /** Whether there is a pooler between the connection and the server. */
  isPooled(client: ClientBase): Promise<boolean>;
}

/** What a follower does with the chain. */
export interface BlockFollowerOptions {
  readonly api: HiveNodes;
  readonly observe: ObserveFollower;
  readonly database: FollowerDatabase;
  /** Of the checkpoint, the lock and the label of the metrics. */
  readonly name: string;
  /**
   * Wanted virtual operations, without `_operation`, such as `return_vesting_delegation`; with `[]` none are requested.
   */
  readonly virtualOperations: readonly string[];
  /**
   * Fields that older nodes omit, by the type of a virtual operation. Nodes that omit one are not used. Default: none.
   */
  readonly requiredFields?: RequiredFields;
  /** Types of real operations that are wanted, with `_operation`; the others are left out early. Default: all. */
  readonly operationTypes?: readonly string[];
  /** Selects real operations of these types by their values, which are not validated yet. Default: all. */
  readonly isWanted?: IsWanted;
  /**
   * Called by the leader if there is no checkpoint. It may first load a state, in transactions of its own; if it
   * fails, or the process ends before it returns, it is called again.
   *
   * @param signal aborted when the follower is to end
   * @returns the number of the first block to apply
   */
  readonly start: (client: ClientBase, signal: AbortSignal) => Promise<number>;
  /**
   * Writes what blocks change, in the transaction that moves the checkpoint, which it must not end. After a temporary
   * error, such as an unavailable database or a conflict, it is called again. After another error it is called for each
   * block alone, to find the one that fails. If the database rejects a value of that block, or a handler cannot decode
   * one, the block is read from another node. Other errors are fatal.
   */
  readonly apply: (client: ClientBase, blocks: readonly FollowedBlock[]) => Promise<void>;
  /**
   * Called before `apply`, in the same transaction. `apply` gets only as many of the blocks as this returns; with 0
   * nothing is written, and it is called again soon. So another transaction can read the state as of a certain block.
   * Default: all of them.
   */
  readonly limitBatch?: (client: ClientBase, blocks: readonly FollowedBlock[]) => Promise<number>;
  /** The last block to apply; `run` resolves after it. Default: none, the chain is followed. */
  readonly endBlock?: number;
  /** Maximum number of blocks per call; default 100, which are about 10 MB of JSON if they are full. */
  readonly batchBlocks?: number;
  /**
   * Maximum number of blocks per transaction; default `batchBlocks`. Batches that were read during the previous
   * transaction are written together, up to this number. Each table costs a statement per transaction, so fewer
   * transactions are faster.
   */
  readonly transactionBlocks?: number;
  /** Ranges that are fetched at the same time; default one more than there are nodes, up to five. */
  readonly concurrentFetches?: number;
  /**
   * Maximum number of batches that wait to be written; default as many as make a transaction, and one more than
   * `concurrentFetches`.
   */
  readonly readAheadBatches?: number;
  /** How often the last irreversible block is polled while there is nothing to apply; default 1,000. */
  readonly pollIntervalMs?: number;
  /** How long a node may lack a recent block that it calls irreversible, or its virtual operations; default 10,000. */
  readonly storageDelayMs?: number;
  /** How often a follower that stands by tries to get the lock; default 500. */
  readonly lockIntervalMs?: number;
  /**
   * The longest first pause after a retryable error; each further error doubles it. A pause is at least half as long.
   * Default 250.
   */
  readonly firstPauseMs?: number;
  /** The longest pause; default 10,000. */
  readonly maxPauseMs?: number;
  /** How long one statement may take; default 60,000. */
  readonly statementTimeoutMs?: number;
  /** How long the leader may leave its connection idle before the server ends it; default 60,000. */
  readonly idleTimeoutMs?: number;
}

/**
 * - `waiting`: has no connection to the database, or was not started
 * - `standby`: another has the lock
 * - `leader`: has the lock, and writes
 * - `ended`: was aborted, is done, or stopped at an error
 */
export type FollowerRole = 'waiting' | 'standby' | 'leader' | 'ended';

/** Where a follower is. Numbers of blocks are undefined while they are not known. */
export interface FollowerStatus {
  readonly role: FollowerRole;
  readonly headBlock: number | undefined;
  readonly irreversibleBlock: number | undefined;
  /** The last block that was applied, by this follower or, while it stands by, by another. */
  readonly processedBlock: number | undefined;
  /** The time of that block. */
  readonly processedBlockTime: Date | undefined;
  /** When it was applied. */
  readonly processedAt: Date | undefined;
  /** Blocks applied per second in the last half minute. */
  readonly blocksPerSecond: number;
  /**
   * Whether it is stopped because every node contradicts itself, another node or the chain; ends with the next success.
   */
  readonly isContradicted: boolean;
  /** What blocks it at the moment, or stopped it. */
  readonly error: Error | undefined;
}

/** The options with their defaults. */
export type FollowerSettings = BlockFollowerOptions &
  Required<Pick<BlockFollowerOptions, keyof typeof defaults | DerivedSetting>> & {
    readonly maxUncomparedRanges: number;
  };

/** The default depends on other options. */
type DerivedSetting = 'transactionBlocks' | 'concurrentFetches' | 'readAheadBatches';

const defaults = {
  endBlock: Infinity,
  batchBlocks: 100,
  pollIntervalMs: 1_000,
  storageDelayMs: defaultStorageDelayMs,
  requiredFields: new Map<string, readonly string[]>(),
  lockIntervalMs: 500,
  firstPauseMs: 250,
  maxPauseMs: 10_000,
  statementTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
};

/**
 * More concurrent calls than this gain nothing: parsing the responses takes longer than a node needs for the next ones.
 */
const maxConcurrentFetches = 5;

/**
 * Half of them wait for the comparison that runs, half for the next. Beside a node that takes 0.8 s, an indexer of
 * small blocks applies 55 ranges during one comparison.
 */
const maxUncomparedRanges = 200;

/** @throws RangeError if one is out of range */
export function settingsOf(options: BlockFollowerOptions): FollowerSettings {
  const concurrentFetches = options.concurrentFetches ?? Math.min(options.api.nodeCount + 1, maxConcurrentFetches);
  const { batchBlocks = defaults.batchBlocks, transactionBlocks = batchBlocks } = options;
  const readAheadBatches =
    options.readAheadBatches ?? Math.max(concurrentFetches + 1, Math.ceil(transactionBlocks / batchBlocks));
  const settings = {
    ...defaults,
    ...options,
    batchBlocks,
    transactionBlocks,
    concurrentFetches,
    readAheadBatches,
    // How many fetched ranges may wait for a comparison, which may take seconds. With one node, nothing is compared.
    maxUncomparedRanges: options.api.nodeCount === 1 ? 1 : maxUncomparedRanges,
  };
  if (!(batchBlocks >= 1 && batchBlocks <= maxBlocksPerRange))
    throw new RangeError(`batchBlocks must be from 1 to ${maxBlocksPerRange}`);
  if (!(transactionBlocks >= batchBlocks)) throw new RangeError('transactionBlocks must be at least batchBlocks');
  if (!(concurrentFetches >= 1)) throw new RangeError('concurrentFetches must be at least 1');
  if (!(readAheadBatches >= 1)) throw new RangeError('readAheadBatches must be at least 1');
  return settings;
}
