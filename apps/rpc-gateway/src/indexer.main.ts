import { createLogger, databaseDependency, runMain, serve, waitForDependencies } from '@waggle/service';
import { readIndexerConfig } from './config';
import { createGatewayIndexer } from './indexer.app';

/** The indexer role: follows the chain into the database; one writes, others stand by. */
runMain(async () => {
  const config = readIndexerConfig(process.env);
  const { host, port } = config.http;
  const logger = createLogger('rpc-gateway-indexer', config.logLevel);
  await waitForDependencies([databaseDependency('rpc-gateway', config.database.url)], { logger, host, port });
  const { app, readiness, start } = await createGatewayIndexer(config, logger);
  await serve(app, { logger, readiness, host, port });
  start();
});
