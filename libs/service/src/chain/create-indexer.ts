import { Module } from '@nestjs/common';
import { type FollowerDatabase, type HiveClient } from '@waggle/chain';
import { type Pool } from 'pg';
import { type DataSourceOptions } from 'typeorm';
import { isDatabaseUnavailable } from '../database/database-errors';
import { POOL } from '../database/pool';
import { isPooled } from '../database/server-timeouts';
import { createService, type Service } from '../platform/create-service';
import { type Platform } from '../platform/platform';
import { PlatformModule } from '../platform/platform.module';
import { IndexerRun, type IndexerTasks } from './indexer-run';

/**
 * Timeouts of calls to nodes: 100 full blocks, or 1,000 delegations, take a public node 1 to 2 s, and a busy one
 * several times as long.
 */
export const indexerNodeTimeouts = { timeoutMs: 15_000, overallTimeoutMs: 45_000 };

export interface IndexerOptions {
  /** The database of the indexer. Its schema must have the table `index_state`, which the readiness check reads. */
  readonly database: DataSourceOptions;
  /** Closed with the application. */
  readonly hive: HiveClient;
  /** Creates the work of the indexer; called once, when the database is connected and migrated. */
  readonly createTasks: (pool: Pool) => IndexerTasks;
}

export interface Indexer extends Service {
  /** Begins to follow the chain; closing the application ends it. */
  readonly start: () => void;
}

/** What an indexer serves over HTTP: health and metrics. */
@Module({})
class IndexerModule {}

/** Creates the indexer of a service: complete and connected, not yet listening or following. */
export async function createIndexer(
  platform: Platform,
  { database, hive, createTasks }: IndexerOptions,
): Promise<Indexer> {
  platform.onClose(() => hive.close());
  const databaseCheck = 'SELECT FROM index_state';
  const module = { module: IndexerModule, imports: [PlatformModule.forRoot(platform, { database, databaseCheck })] };
  const service = await createService(module, platform, { restErrors: {} });
  const run = new IndexerRun(createTasks(service.app.get<Pool>(POOL)), platform.logger);
  platform.readiness.add({ name: 'follower', check: () => run.requireFollowing() });
  const stop = new AbortController();
  let running = Promise.resolve();
  platform.onClose(async () => {
    stop.abort();
    await running;
  });
  const start = (): void => {
    running = run.run(stop.signal);
  };
  return { ...service, start };
}

/** @param url of PostgreSQL itself, not of a pooler */
export function followerDatabase(url: string): FollowerDatabase {
  return { url, isUnavailable: isDatabaseUnavailable, isPooled };
}
