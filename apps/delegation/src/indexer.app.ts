import { HiveClient } from '@waggle/chain';
import { createLogger, createMetrics } from '@waggle/service';
import {
  createIndexerApplication,
  type IndexerApplication,
  indexerNodeTimeouts,
  observeHiveClient,
} from '@waggle/service/chain';
import { type IndexerConfig } from './config';
import { delegationDatabase } from './database';
import { createIndexerTasks } from './indexer/indexer-tasks';

/** Connections besides the followers': for the backfill's queries, and readiness. */
const poolSize = 2;

/** Creates the indexer role: complete and connected, not yet listening or following. */
export function createDelegationIndexer(
  config: IndexerConfig,
  logger = createLogger('delegation-indexer', config.logLevel),
): Promise<IndexerApplication> {
  const metrics = createMetrics();
  const hiveObserver = observeHiveClient(metrics, logger);
  const hive = new HiveClient({
    urls: config.hive.nodes,
    rpcErrorIsFailure: true,
    ...hiveObserver,
    ...indexerNodeTimeouts,
  });
  return createIndexerApplication({
    service: 'delegation',
    http: config.http,
    database: delegationDatabase({ url: config.database.url, poolSize }),
    logger,
    metrics,
    hive,
    createTasks: (pool) => createIndexerTasks({ config, logger, metrics, hive, hiveObserver, pool }),
  });
}
