import { runMain, serve } from '@waggle/service';
import { readIndexerConfig } from './config';
import { createGatewayIndexer } from './indexer.app';

/** The indexer role: follows the chain into the database; one writes, others stand by. */
runMain(async () => {
  const config = readIndexerConfig(process.env);
  const { app, logger, readiness, start } = await createGatewayIndexer(config);
  await serve(app, { logger, readiness, host: config.http.host, port: config.http.port });
  start();
});
