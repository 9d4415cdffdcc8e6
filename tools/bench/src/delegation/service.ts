import { OwnProcess, type Running } from '@waggle/running';
import { findFreePort } from '@waggle/testing';

const migrateTimeoutMs = 60_000;
const readyTimeoutMs = 60_000;
const listenTimeoutMs = 20_000;

/** As in production, but that nobody is sent away for asking too much from one address. */
const settings = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'error',
  REQUESTS_PER_MINUTE: '1000000000',
  RESPONSE_MEGABYTES_PER_MINUTE: '1000000',
};

export interface BenchServer {
  url: string;
  process: OwnProcess;
}

/** Brings a database of the service up to date. */
export async function migrateDelegation(running: Running, databaseUrl: string): Promise<void> {
  const migration = await OwnProcess.start(running, {
    name: 'migration of the delegation service',
    script: 'apps/delegation/dist/migrate.js',
    environment: { DATABASE_URL: databaseUrl },
  });
  await migration.line('ran', migrateTimeoutMs);
  await migration.finished();
}

/** Starts the API as it is deployed, `node dist/main.js`, and waits until it is ready. */
export async function startApi(
  running: Running,
  databaseUrl: string,
  nodeArguments: readonly string[] = [],
): Promise<BenchServer> {
  const port = await findFreePort();
  const process = await OwnProcess.start(running, {
    name: 'delegation service',
    script: 'apps/delegation/dist/main.js',
    nodeArguments,
    environment: { ...settings, PORT: String(port), DATABASE_URL: databaseUrl },
  });
  const url = `http://127.0.0.1:${port}`;
  await process.until('ready', readyTimeoutMs, async () => (await fetch(`${url}/health/ready`)).ok);
  return { url, process };
}

/** Starts the indexer as it is deployed, which begins to catch up at once. */
export async function startIndexer(
  running: Running,
  databaseUrl: string,
  nodeUrls: readonly string[],
): Promise<OwnProcess> {
  return await OwnProcess.start(running, {
    name: 'delegation indexer',
    script: 'apps/delegation/dist/indexer.main.js',
    environment: {
      ...settings,
      PORT: String(await findFreePort()),
      DATABASE_URL: databaseUrl,
      HIVE_API_NODES: nodeUrls.join(','),
      START_FROM: 'first-block',
    },
  });
}

export async function startBareFastify(running: Running, databaseUrl: string): Promise<BenchServer> {
  const process = await OwnProcess.start(running, {
    name: 'bare Fastify',
    script: 'tools/bench/dist/delegation/baselines/bare-fastify.js',
    environment: { NODE_ENV: 'production', DATABASE_URL: databaseUrl },
  });
  return { url: await process.line('http', listenTimeoutMs), process };
}
