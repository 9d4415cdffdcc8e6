import { loginProbes } from '@waggle/chain';
import { createLogger, databaseDependency, runMain, serve, waitForDependencies } from '@waggle/service';
import { logNodeCheck } from '@waggle/service/chain';
import { redisDependency } from '@waggle/service/redis';
import { createChat } from './app';
import { readConfig } from './config';

runMain(async () => {
  const config = readConfig(process.env);
  const { host, port, drainDelayMs } = config.http;
  const logger = createLogger('chat', config.logLevel);
  const dependencies = [
    databaseDependency('chat', config.database.url),
    ...(config.redis === undefined ? [] : [redisDependency(config.redis.urls)]),
  ];
  await waitForDependencies(dependencies, { logger, host, port });
  const { app, readiness } = await createChat(config, logger);
  await serve(app, { logger, readiness, host, port, drainDelayMs });
  void logNodeCheck('chat', config.hive.nodes, loginProbes, logger);
});
