import { runMain, serve } from '@waggle/service';
import { createGateway } from './app';
import { readApiConfig } from './config';

/** The API role: answers calls from the index, from what it keeps, or by asking the nodes. */
runMain(async () => {
  const config = readApiConfig(process.env);
  const { app, logger, readiness } = await createGateway(config);
  const { host, port, drainDelayMs } = config.http;
  await serve(app, { logger, readiness, host, port, drainDelayMs });
});
