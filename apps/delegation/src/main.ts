import { runMain, serve } from '@waggle/service';
import { createDelegationApi } from './app';
import { readApiConfig } from './config';

/** The API role: answers from the database, and never asks the chain. */
runMain(async () => {
  const config = readApiConfig(process.env);
  const { app, logger, readiness } = await createDelegationApi(config);
  const { host, port, drainDelayMs } = config.http;
  await serve(app, { logger, readiness, host, port, drainDelayMs });
});
