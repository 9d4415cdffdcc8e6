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
   * The URL of the server itself, not of a pooler that shares connections between transactions: the follower opens one
   * connection, which holds the lock and runs the transactions.
   */
  readonly url: string;
  /** Returns whether an error means that the database cannot serve at the moment, so that a retry may succeed. */
  isUnavailable(error: unknown): boolean;
  /** Returns whether there is a pooler between the connection and the server. */
  isPooled(client: ClientBase): Promise<boolean>;
}

/**
 * What a follower does with the chain. Times are in milliseconds. `defaults` has the default values, except those that
 * are stated here.
 */
export interface BlockFollowerOptions {
  readonly api: HiveNodes;
  /** Called once, when the follower is created. */
  readonly observe: ObserveFollower;
  readonly database: FollowerDatabase;
  /** Names the checkpoint and the lock, and labels the metrics. */
  readonly name: string;
  /**
   * Wanted types of virtual operations, without `_operation`, such as `return_vesting_delegation`. If it is empty, none
   * are requested.
   */
  readonly virtualOperations: readonly string[];
  /**
   * Fields that older nodes leave out, by the type of a virtual operation. The follower does not use such nodes. By
   * default, no fields are required.
   */
  readonly requiredFields?: RequiredFields;
  /** Wanted types of real operations, with `_operation`; others are dropped early. By default, all are wanted. */
  readonly operationTypes?: readonly string[];
  /**
   * Selects real operations of the wanted types by their values, which are not validated yet. By default, all are
   * wanted.
   */
  readonly isWanted?: IsWanted;
  /**
   * Called by the leader if there is no checkpoint. It may first load a state, in transactions of its own. If it fails,
   * or the process ends before it returns, it is called again.
   *
   * @param signal aborted when the follower is to end
   * @returns the number of the first block to apply
   */
  readonly start: (client: ClientBase, signal: AbortSignal) => Promise<number>;
  /**
   * Writes what blocks change, in the transaction that moves the checkpoint. It must not end the transaction. After an
   * error, the follower rolls back the transaction:
   *
   * - Temporary error, such as an unavailable database or a conflict: it calls `apply` again.
   * - Other error: it calls `apply` for each block alone, to find the block that fails. If the database rejects a value
   *   of that block, or a handler cannot decode one, it reads the block from another node. Other errors are fatal.
   */
  readonly apply: (client: ClientBase, blocks: readonly FollowedBlock[]) => Promise<void>;
  /**
   * Returns how many of the blocks `apply` gets. It is called before `apply`, in the same transaction. If it returns 0,
   * nothing is written, and it is called again soon. So a service can hold back a block until another transaction reads
   * the state before it. By default, `apply` gets all of them.
   */
  readonly limitBatch?: (client: ClientBase, blocks: readonly FollowedBlock[]) => Promise<number>;
  /** The last block to apply, after which `run` resolves. By default, the follower does not end. */
  readonly endBlock?: number;
  /** Maximum number of blocks per call: a hundred full ones are about 10 MB of JSON. */
  readonly batchBlocks?: number;
  /**
   * Maximum number of blocks per transaction, by default `batchBlocks`. Batches that were read during a transaction are
   * written together in the next one. Each table costs a statement per transaction, so fewer transactions are faster.
   */
  readonly transactionBlocks?: number;
  /**
   * Maximum number of ranges that are fetched at the same time, by default one more than there are nodes, up to five.
   */
  readonly concurrentFetches?: number;
  /**
   * Maximum number of batches that wait to be written, by default the larger of the number of batches in a transaction
   * and `concurrentFetches + 1`.
   */
  readonly readAheadBatches?: number;
  /** Interval at which the last irreversible block is polled while there is nothing to apply. */
  readonly pollIntervalMs?: number;
  /** Time that a node may lack a recent block, or its virtual operations, although it calls the block irreversible. */
  readonly storageDelayMs?: number;
  /** Interval at which a follower that stands by tries to get the lock. */
  readonly lockIntervalMs?: number;
  /**
   * Pause after the first of several retryable errors. Each further error doubles it. A random part, up to half, is cut
   * off each pause.
   */
  readonly firstPauseMs?: number;
  /** Maximum pause after a retryable error. */
  readonly maxPauseMs?: number;
  /** Maximum duration of a statement. */
  readonly statementTimeoutMs?: number;
  /** Maximum time that the leader's connection may be idle before the server ends it. */
  readonly idleTimeoutMs?: number;
}

/**
 * - `waiting`: has no connection to the database, or was not started
 * - `standby`: has a connection, and another follower has the lock
 * - `leader`: has the lock, and writes
 * - `ended`: was aborted, has applied the last block, or stopped at an error
 */
export type FollowerRole = 'waiting' | 'standby' | 'leader' | 'ended';

/** The progress of a follower. Numbers of blocks are undefined while they are not known. */
export interface FollowerStatus {
  readonly role: FollowerRole;
  readonly headBlock: number | undefined;
  readonly irreversibleBlock: number | undefined;
  /** The last block that was applied: by this follower or, while it stands by, by the leader. */
  readonly processedBlock: number | undefined;
  /** The timestamp of the last applied block. */
  readonly processedBlockTime: Date | undefined;
  /** The time at which the last applied block was applied. */
  readonly processedAt: Date | undefined;
  /** Blocks applied per second in the last half minute. */
  readonly blocksPerSecond: number;
  /**
   * Whether the follower waits because every node contradicts itself, another node or the chain. The next success ends
   * it.
   */
  readonly isContradicted: boolean;
  /** The error that the follower is retrying after, or stopped at. */
  readonly error: Error | undefined;
}

/** The options, with defaults for those that are not set. */
export type FollowerSettings = BlockFollowerOptions &
  Required<Pick<BlockFollowerOptions, keyof typeof defaults | DerivedSetting>> & {
    readonly maxUncomparedRanges: number;
  };

/** An option whose default depends on other options. */
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
 * Default maximum of `concurrentFetches`. More calls gain nothing: parsing their responses takes longer than a node
 * needs for the next ones.
 */
const maxConcurrentFetches = 5;

/**
 * Maximum number of fetched ranges that wait for a comparison of nodes: half for the comparison that runs, half for the
 * next one. If one of the nodes takes 0.8 s, an indexer of small blocks applies 55 ranges during one comparison.
 */
const maxUncomparedRanges = 200;

/** Adds the defaults to options, and checks the numbers. @throws RangeError if one is out of range */
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
    // A single node is not compared.
    maxUncomparedRanges: options.api.nodeCount === 1 ? 1 : maxUncomparedRanges,
  };
  if (!(batchBlocks >= 1 && batchBlocks <= maxBlocksPerRange))
    throw new RangeError(`batchBlocks must be from 1 to ${maxBlocksPerRange}`);
  if (!(transactionBlocks >= batchBlocks)) throw new RangeError('transactionBlocks must be at least batchBlocks');
  if (!(concurrentFetches >= 1)) throw new RangeError('concurrentFetches must be at least 1');
  if (!(readAheadBatches >= 1)) throw new RangeError('readAheadBatches must be at least 1');
  return settings;
}
