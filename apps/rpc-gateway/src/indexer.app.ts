import { HiveClient } from '@waggle/chain';
import { createLogger, createMetrics } from '@waggle/service';
import {
  createIndexerApplication,
  type IndexerApplication,
  indexerNodeTimeouts,
  observeHiveClient,
} from '@waggle/service/chain';
import { type IndexerConfig } from './config';
import { gatewayDatabase } from './database';
import { DigestTask } from './digests/digest-task';
import { createFollower } from './indexer/create-follower';
import { limitBatchByRequests } from './snapshot/snapshot-requests';

/** Connections besides the follower's: for readiness. */
const poolSize = 2;

/** Creates the indexer role: complete and connected, not yet listening or following. */
export function createGatewayIndexer(
  config: IndexerConfig,
  logger = createLogger('rpc-gateway-indexer', config.logLevel),
): Promise<IndexerApplication> {
  const metrics = createMetrics();
  const { url } = config.database;
  const hive = new HiveClient({
    urls: config.hive.nodes,
    ...observeHiveClient(metrics, logger),
    ...indexerNodeTimeouts,
  });
  const createTasks = () => ({
    follower: createFollower({ settings: config, logger, metrics, hive, limitBatch: limitBatchByRequests }),
    others: [new DigestTask({ url, hive, intervalBlocks: config.digestIntervalBlocks, logger })],
  });
  return createIndexerApplication({
    service: 'rpc-gateway',
    http: config.http,
    database: gatewayDatabase({ url, poolSize }),
    logger,
    metrics,
    hive,
    createTasks,
  });
}
