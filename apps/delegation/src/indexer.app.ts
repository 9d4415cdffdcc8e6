import { HiveClient } from '@waggle/chain';
import { createLogger, Platform } from '@waggle/service';
import { createIndexer, type Indexer, indexerNodeTimeouts, observeHiveClient } from '@waggle/service/chain';
import { type IndexerConfig } from './config';
import { delegationDatabase } from './database';
import { createIndexerTasks } from './indexer/indexer-tasks';

/** Connections besides the followers': for the backfill's queries, and readiness. */
const poolSize = 2;

/** Creates the indexer. */
export function createDelegationIndexer(
  config: IndexerConfig,
  logger = createLogger('delegation-indexer', config.logLevel),
): Promise<Indexer> {
  const platform = new Platform('delegation', config.http, logger, { limitsResponses: false });
  const { metrics } = platform;
  const hiveObserver = observeHiveClient(metrics, logger);
  const hive = new HiveClient({
    urls: config.hive.nodes,
    rpcErrorIsFailure: true,
    ...hiveObserver,
    ...indexerNodeTimeouts,
  });
  return createIndexer(platform, {
    database: delegationDatabase({ url: config.database.url, poolSize }),
    hive,
    createTasks: (pool) => createIndexerTasks({ config, logger, metrics, hive, hiveObserver, pool }),
  });
}
