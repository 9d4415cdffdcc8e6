import { HiveClient } from '@waggle/chain';
import { createLogger, Platform } from '@waggle/service';
import { createIndexer, type Indexer, indexerNodeTimeouts, observeHiveClient } from '@waggle/service/chain';
import { type IndexerConfig } from './config';
import { gatewayDatabase } from './database';
import { DigestTask } from './digests/digest-task';
import { createFollower } from './indexer/create-follower';
import { limitBatchByRequests } from './snapshot/snapshot-requests';

/** Connections besides the follower's: for readiness. */
const poolSize = 2;

/** Creates the indexer. */
export function createGatewayIndexer(
  config: IndexerConfig,
  logger = createLogger('rpc-gateway-indexer', config.logLevel),
): Promise<Indexer> {
  const platform = new Platform('rpc-gateway', config.http, logger, { limitsResponses: false });
  const { metrics } = platform;
  const { url } = config.database;
  const hive = new HiveClient({
    urls: config.hive.nodes,
    ...observeHiveClient(metrics, logger),
    ...indexerNodeTimeouts,
  });
  return createIndexer(platform, {
    database: gatewayDatabase({ url, poolSize }),
    hive,
    createTasks: () => ({
      follower: createFollower({ settings: config, logger, metrics, hive, limitBatch: limitBatchByRequests }),
      others: [new DigestTask({ url, hive, intervalBlocks: config.digestIntervalBlocks, logger })],
    }),
  });
}
