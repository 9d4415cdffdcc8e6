import { createLogger, databaseDependency, runMain, serve, waitForDependencies } from '@waggle/service';
import { createDelegationApi } from './app';
import { readApiConfig } from './config';

/** The API role: responds from the database, and never calls a node. */
runMain(async () => {
  const config = readApiConfig(process.env);
  const { host, port, drainDelayMs } = config.http;
  const logger = createLogger('delegation', config.logLevel);
  await waitForDependencies([databaseDependency('delegation', config.database.url)], { logger, host, port });
  const { app, readiness } = await createDelegationApi(config, logger);
  await serve(app, { logger, readiness, host, port, drainDelayMs });
});
