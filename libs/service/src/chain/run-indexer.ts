import { type Probe } from '@waggle/chain';
import { runMain } from '../startup/run-main';
import { type HttpConfig, type LogLevel } from '../configuration';
import { databaseDependency } from '../database/database-dependency';
import { createLogger, type Logger } from '../observability/logging';
import { serve } from '../startup/serve';
import { waitForDependencies } from '../startup/wait-for-dependencies';
import { type IndexerApplication } from './create-indexer-application';
import { logNodeCheck } from './node-check/log-node-check';

interface IndexerConfig {
  http: HttpConfig;
  logLevel: LogLevel;
  database: { url: string };
  hive: { nodes: string[] };
}

/**
 * Runs the indexer role of a service: waits for PostgreSQL, serves health and metrics, and follows the chain into the
 * database until SIGTERM. One instance writes, the others stand by.
 *
 * @param probes what it calls of nodes, which is checked once it runs
 */
export function runIndexer<Config extends IndexerConfig>(
  service: string,
  readConfig: (environment: Record<string, string | undefined>) => Config,
  create: (config: Config, logger: Logger) => Promise<IndexerApplication>,
  probes: readonly Probe[],
): void {
  runMain(async () => {
    const config = readConfig(process.env);
    const { host, port } = config.http;
    const logger = createLogger(`${service}-indexer`, config.logLevel);
    await waitForDependencies([databaseDependency(service, config.database.url)], { logger, host, port });
    const { app, readiness, start } = await create(config, logger);
    await serve(app, { logger, readiness, host, port });
    start();
    void logNodeCheck(`${service}-indexer`, config.hive.nodes, probes, logger);
  });
}
