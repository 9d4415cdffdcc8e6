import { OwnProcess, type Running } from '@waggle/running';
import { findFreePort } from '@waggle/testing';

/** Starts an indexer as it is deployed. It begins to catch up immediately, so it is not waited for. */
export async function startIndexer(
  running: Running,
  app: string,
  environment: Readonly<Record<string, string>>,
): Promise<OwnProcess> {
  return await OwnProcess.start(running, {
    name: `${app} indexer`,
    script: `apps/${app}/dist/indexer.main.js`,
    environment: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(await findFreePort()),
      LOG_LEVEL: 'error',
      ...environment,
    },
  });
}
