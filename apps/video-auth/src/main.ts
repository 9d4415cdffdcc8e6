import { loginProbes } from '@waggle/chain';
import { toVideoAuthErrorBody } from '@waggle/contracts';
import { createLogger, databaseDependency, runMain, serve, waitForDependencies } from '@waggle/service';
import { logNodeCheck } from '@waggle/service/chain';
import { redisDependency } from '@waggle/service/redis';
import { createVideoAuth } from './app';
import { readConfig } from './config';

runMain(async () => {
  const config = readConfig(process.env);
  const { host, port, drainDelayMs } = config.http;
  const logger = createLogger('video-auth', config.logLevel);
  const dependencies = [
    databaseDependency('video-auth', config.database.url),
    ...(config.redis === undefined ? [] : [redisDependency(config.redis.urls)]),
  ];
  await waitForDependencies(dependencies, { logger, host, port, errorBody: toVideoAuthErrorBody });
  const { app, readiness } = await createVideoAuth(config, logger);
  await serve(app, { logger, readiness, host, port, drainDelayMs });
  void logNodeCheck('video-auth', config.hive.nodes, loginProbes, logger);
});
