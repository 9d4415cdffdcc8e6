import { type Probe } from '@waggle/chain';
import { type HttpConfig, type LogLevel } from '../configuration';
import { type Logger } from '../observability/logging';
import { runService } from '../startup/run-service';
import { type Indexer } from './create-indexer';
import { logNodeCheck } from './node-check/log-node-check';

interface IndexerConfig {
  http: HttpConfig;
  logLevel: LogLevel;
  database: { url: string };
  hive: { nodes: string[] };
}

/**
 * Runs the indexer of a service: waits for PostgreSQL, serves health and metrics, and follows the chain into the
 * database until SIGTERM. One instance writes, the others stand by.
 *
 * @param probes what it calls of nodes, which is checked once it runs
 */
export function runIndexer<Config extends IndexerConfig>(
  service: string,
  readConfig: (environment: Record<string, string | undefined>) => Config,
  create: (config: Config, logger: Logger) => Promise<Indexer>,
  probes: readonly Probe[],
): void {
  const name = `${service}-indexer`;
  runService(service, {
    name,
    readConfig,
    create,
    // No load balancer routes to it.
    drainsAtOnce: true,
    onListening: ({ hive }, { start, logger }) => {
      start();
      void logNodeCheck(name, hive.nodes, probes, logger);
    },
  });
}
