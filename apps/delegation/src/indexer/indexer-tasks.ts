import { BlockFollower, type HiveClient } from '@waggle/chain';
import { Counter, Gauge, type Logger, type Registry } from '@waggle/service';
import { followerDatabase, type HiveClientObserver, type IndexerTasks, observeFollowers } from '@waggle/service/chain';
import { type Pool } from 'pg';
import { applyBlocks } from './apply-blocks';
import { Backfill } from './backfill';
import { beginIndex, type LoadingSettings } from './loading/begin-index';
import { handlers, virtualOperations } from './operations';

export interface IndexerSettings extends LoadingSettings {
  readonly database: { readonly url: string };
  /** Whether the history before the start of the index is read too. */
  readonly backfills: boolean;
  /** Maximum number of blocks per call to a node, and per transaction. */
  readonly blocksPerBatch: number;
  readonly pollIntervalMs: number;
}

export interface IndexerOptions {
  readonly config: IndexerSettings;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly hive: HiveClient;
  readonly hiveObserver: HiveClientObserver;
  readonly pool: Pool;
}

/** Creates the follower that keeps the index up to date, and the backfill of earlier history if it is configured. */
export function createIndexerTasks(options: IndexerOptions): IndexerTasks {
  const { config, logger, metrics, hive, hiveObserver, pool } = options;
  const loaded = new Gauge({
    name: 'delegation_loaded',
    help: 'Delegations that were loaded from a node when the index began',
    registers: [metrics],
  });
  const changes = new Counter({
    name: 'delegation_changes_total',
    help: 'Changes of delegations that this process has applied, including batches that failed to commit',
    registers: [metrics],
  });
  const shared = {
    api: hive,
    observe: observeFollowers(metrics, logger),
    database: followerDatabase(config.database.url),
    batchBlocks: config.blocksPerBatch,
    pollIntervalMs: config.pollIntervalMs,
  };
  const follower = new BlockFollower({
    ...shared,
    name: 'delegation',
    virtualOperations,
    operationTypes: handlers.types,
    start: (client, signal) =>
      beginIndex(client, signal, {
        config,
        logger,
        hiveObserver,
        onProgress: (delegations) => {
          loaded.set(delegations);
        },
      }),
    apply: async (client, blocks) => {
      changes.inc(await applyBlocks(client, blocks, follower.status().irreversibleBlock ?? 0));
    },
  });
  if (!config.backfills) return { follower };
  return {
    follower,
    others: [new Backfill({ follower: shared, pool, logger, metrics, firstBlock: config.firstBlock })],
  };
}
