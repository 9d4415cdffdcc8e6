import { runMain, serve } from '@waggle/service';
import { createChat } from './app';
import { readConfig } from './config';

runMain(async () => {
  const config = readConfig(process.env);
  const { app, logger, readiness } = await createChat(config);
  await serve(app, { logger, readiness, host: config.http.host, port: config.http.port });
});
