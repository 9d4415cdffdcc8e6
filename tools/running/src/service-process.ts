import { findFreePort, waitLimitMs } from '@waggle/testing';
import { OwnProcess, type OwnProcessOptions } from './own-process';
import { type Running } from './running';

export interface ServiceProcess {
  url: string;
  process: OwnProcess;
}

export interface ServiceOptions extends Pick<
  OwnProcessOptions,
  'checkout' | 'nodeArguments' | 'onLine' | 'stopTimeoutMs'
> {
  /** By default a free one. */
  port?: number;
  /** Starts the process; by default a new one. */
  launch?: (running: Running, options: OwnProcessOptions) => Promise<OwnProcess>;
  /** The script of another process. */
  script?: 'main' | 'indexer.main' | undefined;
  /** How long it keeps serving after SIGTERM; 0 by default, because its clients end before it. */
  drainDelaySeconds?: number;
}

/** Runs the migrations of a service. @param app its folder in `apps` @param checkout see `OwnProcessOptions` */
export async function migrateService(
  running: Running,
  app: string,
  databaseUrl: string,
  checkout?: string,
): Promise<void> {
  const migration = await OwnProcess.start(running, {
    name: `migration of ${app}`,
    script: `apps/${app}/dist/migrate.main.js`,
    checkout,
    environment: { DATABASE_URL: databaseUrl },
  });
  await migration.finished();
}

/** Starts a service as it is deployed, `node dist/main.js`, and waits until it is ready. */
export async function startService(
  running: Running,
  app: string,
  environment: (url: string) => Record<string, string>,
  {
    drainDelaySeconds = 0,
    port: wantedPort,
    launch = (...options) => OwnProcess.start(...options),
    script = 'main',
    ...options
  }: ServiceOptions = {},
): Promise<ServiceProcess> {
  const port = wantedPort ?? (await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const process = await launch(running, {
    name: script === 'main' ? app : `${app} indexer`,
    script: `apps/${app}/dist/${script}.js`,
    ...options,
    environment: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'error',
      DRAIN_DELAY_SECONDS: String(drainDelaySeconds),
      ...environment(url),
    },
  });
  await process.until('ready', waitLimitMs, async () => {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(waitLimitMs) });
    await response.arrayBuffer();
    return response.ok;
  });
  return { url, process };
}

/** Starts an indexer as it is deployed, at any port. It begins to catch up immediately, so it is not waited for. */
export function startIndexer(
  running: Running,
  app: string,
  environment: Readonly<Record<string, string>>,
  options: Pick<OwnProcessOptions, 'stopTimeoutMs'> = {},
): Promise<OwnProcess> {
  return OwnProcess.start(running, {
    name: `${app} indexer`,
    script: `apps/${app}/dist/indexer.main.js`,
    ...options,
    environment: { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', ...environment },
  });
}
