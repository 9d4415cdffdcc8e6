import { Module } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type FollowerDatabase, type HiveClient } from '@waggle/chain';
import { type Pool } from 'pg';
import { type Registry } from 'prom-client';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { isDatabaseUnavailable } from '../database/database-errors';
import { isPooled } from '../database/server-timeouts';
import { createApplication } from '../http/application';
import { type HttpConfig } from '../configuration';
import { requireMigrated } from '../database/migrations';
import { poolOf } from '../database/pool';
import { type Logger } from '../observability/logging';
import { OperationsModule } from '../http/operations.module';
import { Readiness } from '../observability/readiness';
import { IndexerRun, type IndexerTasks } from './indexer-run';

/**
 * Timeouts of calls to nodes: 100 full blocks, or 1,000 delegations, take a public node 1 to 2 s, and a busy one
 * several times as long.
 */
export const indexerNodeTimeouts = { timeoutMs: 15_000, overallTimeoutMs: 45_000 };

export interface IndexerOptions {
  readonly service: string;
  readonly http: HttpConfig;
  /** Its schema must have the table `index_state`, which the readiness check reads. */
  readonly database: DataSourceOptions;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Closed with the application. */
  readonly hive: HiveClient;
  /** Creates the work of the indexer; called once, when the database is connected and migrated. */
  readonly createTasks: (pool: Pool) => IndexerTasks;
}

export interface IndexerApplication {
  app: NestFastifyApplication;
  logger: Logger;
  readiness: Readiness;
  /** Begins to follow the chain; closing the application ends it. */
  start: () => void;
}

/** What an indexer serves over HTTP: health and metrics. */
@Module({})
class IndexerModule {}

/** Creates the indexer role of a service: complete and connected, not yet listening or following. */
export async function createIndexerApplication(options: IndexerOptions): Promise<IndexerApplication> {
  const { service, http, database, logger, metrics, hive, createTasks } = options;
  const readiness = new Readiness([
    { name: 'database', check: () => app.get(DataSource).query('SELECT FROM index_state') },
    { name: 'follower', check: () => indexer.requireFollowing() },
  ]);
  const indexerModule = {
    module: IndexerModule,
    imports: [
      OperationsModule.forRoot({ readiness, metrics }),
      TypeOrmModule.forRoot({ ...database, retryAttempts: 5, retryDelay: 1_000 }),
    ],
  };
  const app: NestFastifyApplication = await createApplication(indexerModule, {
    logger,
    metrics,
    restErrors: {},
    corsOrigins: http.corsOrigins,
    trustedProxies: http.trustedProxies,
  });
  const dataSource = app.get(DataSource);
  await requireMigrated(dataSource, service);
  const indexer = new IndexerRun(createTasks(poolOf(dataSource)), logger);
  const stop = new AbortController();
  let running = Promise.resolve();
  const start = (): void => {
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

/** @param url of PostgreSQL itself, not of a pooler */
export function followerDatabase(url: string): FollowerDatabase {
  return { url, isUnavailable: isDatabaseUnavailable, isPooled };
}
