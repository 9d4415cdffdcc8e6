import { runMain, serve } from '@waggle/service';
import { createVideoAuth } from './app';
import { readConfig } from './config';

runMain(async () => {
  const config = readConfig(process.env);
  const { app, logger, readiness } = await createVideoAuth(config);
  await serve(app, { logger, readiness, host: config.http.host, port: config.http.port });
});
