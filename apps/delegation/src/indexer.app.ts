import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { HiveClient } from '@waggle/chain';
import { delegationRestErrors } from '@waggle/contracts';
import {
  createApplication,
  createLogger,
  createMetrics,
  type Logger,
  poolOf,
  Readiness,
  requireMigrated,
} from '@waggle/service';
import { observeHiveClient } from '@waggle/service/chain';
import { DataSource } from 'typeorm';
import { type IndexerConfig } from './config';
import { Indexer } from './indexer/indexer';
import { nodeTimeouts } from './indexer/node-timeouts';
import { IndexerModule } from './indexer.module';

export interface DelegationIndexer {
  app: NestFastifyApplication;
  logger: Logger;
  readiness: Readiness;
  /** Begins to follow the chain; closing the application ends it. */
  start: () => void;
}

/** The indexer role, complete and connected, not yet listening or following. */
export async function createDelegationIndexer(
  config: IndexerConfig,
  logger = createLogger('delegation-indexer', config.logLevel),
): Promise<DelegationIndexer> {
  const metrics = createMetrics();
  const hiveObserver = observeHiveClient(metrics, logger);
  const hive = new HiveClient({ urls: config.hive.nodes, refusalIsFault: true, ...hiveObserver, ...nodeTimeouts });
  const readiness = new Readiness([
    { name: 'database', check: () => app.get(DataSource).query('SELECT 1') },
    { name: 'follower', check: () => requireFollowing() },
  ]);
  const app: NestFastifyApplication = await createApplication(IndexerModule.forRoot(config, { readiness, metrics }), {
    logger,
    metrics,
    restErrors: delegationRestErrors,
    corsOrigins: config.http.corsOrigins,
    trustedProxies: config.http.trustedProxies,
  });
  const dataSource = app.get(DataSource);
  await requireMigrated(dataSource, 'delegation');

  const indexer = new Indexer({ config, logger, metrics, hive, hiveObserver, pool: poolOf(dataSource) });
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const requireFollowing = () => {
    const { error } = indexer;
    return error === undefined
      ? Promise.resolve()
      : Promise.reject(new Error('the chain is not followed', { cause: error }));
  };
  const start = () => {
    running = indexer.run(stop.signal);
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
