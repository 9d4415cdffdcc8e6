import { createLogger, databaseDependency, runMain, serve, waitForDependencies } from '@waggle/service';
import { logNodeCheck } from '@waggle/service/chain';
import { createGateway } from './app';
import { readApiConfig } from './config';
import { probesByNodes } from './node-probes';

/** The API role: serves calls from the index, the cache or a Hive node. */
runMain(async () => {
  const config = readApiConfig(process.env);
  const { host, port, drainDelayMs } = config.http;
  const logger = createLogger('rpc-gateway', config.logLevel);
  await waitForDependencies([databaseDependency('rpc-gateway', config.database.url)], { logger, host, port });
  const { app, readiness } = await createGateway(config, logger);
  await serve(app, { logger, readiness, host, port, drainDelayMs });
  for (const { urls, probes } of probesByNodes(config)) void logNodeCheck('rpc-gateway', urls, probes, logger);
});
