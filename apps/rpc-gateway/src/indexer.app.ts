import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { HiveClient } from '@waggle/chain';
import {
  createApplication,
  createLogger,
  createMetrics,
  type Logger,
  Readiness,
  requireMigrated,
} from '@waggle/service';
import { observeHiveClient } from '@waggle/service/chain';
import { DataSource } from 'typeorm';
import { type IndexerConfig } from './config';
import { DigestTask } from './digests/digest-task';
import { Indexer } from './indexer/indexer';
import { nodeTimeouts } from './indexer/node-timeouts';
import { IndexerModule } from './indexer.module';
import { limitBatchByRequests } from './snapshot/snapshot-requests';

export interface GatewayIndexer {
  app: NestFastifyApplication;
  logger: Logger;
  readiness: Readiness;
  /** Begins to follow the chain; closing the application ends it. */
  start: () => void;
}

/** The indexer role, complete and connected, not yet listening or following. */
export async function createGatewayIndexer(
  config: IndexerConfig,
  logger = createLogger('rpc-gateway-indexer', config.logLevel),
): Promise<GatewayIndexer> {
  const metrics = createMetrics();
  const hive = new HiveClient({
    urls: config.hive.nodes,
    ...observeHiveClient(metrics, logger),
    ...nodeTimeouts,
  });
  const indexer = new Indexer({ config, logger, metrics, hive, limitBatch: limitBatchByRequests });
  const digests = new DigestTask({
    url: config.database.url,
    hive,
    intervalBlocks: config.digestIntervalBlocks,
    logger,
  });
  const readiness = new Readiness([
    { name: 'database', check: () => app.get(DataSource).query('SELECT FROM index_state') },
    { name: 'follower', check: () => requireFollowing(indexer) },
  ]);
  const app: NestFastifyApplication = await createApplication(IndexerModule.forRoot(config, { readiness, metrics }), {
    logger,
    metrics,
    restErrors: {},
    corsOrigins: config.http.corsOrigins,
    trustedProxies: config.http.trustedProxies,
  });
  await requireMigrated(app.get(DataSource), 'rpc-gateway');

  const stop = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const start = () => {
    running = Promise.all([indexer.run(stop.signal), digests.run(stop.signal)]);
  };
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onClose', async () => {
      stop.abort();
      await running;
      await hive.close();
    });
  return { app, logger, readiness, start };
}

function requireFollowing({ error }: Indexer): Promise<void> {
  if (error === undefined) return Promise.resolve();
  return Promise.reject(new Error('the chain is not followed', { cause: error }));
}
