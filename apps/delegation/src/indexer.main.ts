import { createLogger, databaseDependency, runMain, serve, waitForDependencies } from '@waggle/service';
import { readIndexerConfig } from './config';
import { createDelegationIndexer } from './indexer.app';

/** The indexer role: follows the chain into the database; one writes, others stand by. */
runMain(async () => {
  const config = readIndexerConfig(process.env);
  const { host, port } = config.http;
  const logger = createLogger('delegation-indexer', config.logLevel);
  await waitForDependencies([databaseDependency('delegation', config.database.url)], { logger, host, port });
  const { app, readiness, start } = await createDelegationIndexer(config, logger);
  await serve(app, { logger, readiness, host, port });
  start();
});
