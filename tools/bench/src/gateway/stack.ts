import { fillNotifications, migrateService, OwnProcess, type Running, startService } from '@waggle/running';
import { findFreePort, provideDatabase } from '@waggle/testing';
import { startDurablePostgres } from '../measure/durable-postgres';
import { startNginx } from './baselines/nginx';
import { type Sizes } from './sizes';

const app = 'rpc-gateway';
const listenTimeoutMs = 20_000;

/** The servers of the bench: PostgreSQL, a node, the gateway as it is deployed, and the baselines. */
export interface GatewayStack {
  readonly running: Running;
  readonly gatewayUrl: string;
  readonly bareUrl: string;
  /** Where it is installed. */
  readonly nginxUrl: string | undefined;
  /** Creates another database, migrated and empty. */
  readonly createDatabase: () => Promise<string>;
}

export async function startStack(running: Running, sizes: Sizes): Promise<GatewayStack> {
  const postgres = await startDurablePostgres(running);
  running.signal.throwIfAborted();
  let databases = 0;
  const createDatabase = async (): Promise<string> => {
    databases += 1;
    const url = await provideDatabase(postgres, `${app}-${databases}`);
    await migrateService(running, app, url);
    return url;
  };
  const databaseUrl = await createDatabase();
  await fillNotifications(databaseUrl, sizes);
  const nodeUrl = await startBaseline(running, 'node', {});
  const gateway = await startService(running, app, () => ({
    DATABASE_URL: databaseUrl,
    HIVE_API_NODES: nodeUrl,
    // As in production, but that nobody is sent away for calling too often from one address.
    CALLS_PER_MINUTE: '1000000000',
    RESPONSE_MEGABYTES_PER_MINUTE: '1000000',
  }));
  const bareUrl = await startBaseline(running, 'bare-fastify', { DATABASE_URL: databaseUrl, NODE_URL: nodeUrl });
  return { running, gatewayUrl: gateway.url, bareUrl, nginxUrl: await startNginx(running, nodeUrl), createDatabase };
}

/** Starts the indexer as it is deployed, with an empty database; it begins to catch up immediately. */
export async function startIndexer({ running, createDatabase }: GatewayStack, nodeUrls: readonly string[]) {
  const databaseUrl = await createDatabase();
  const process = await OwnProcess.start(running, {
    name: 'rpc-gateway indexer',
    script: `apps/${app}/dist/indexer.main.js`,
    environment: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(await findFreePort()),
      LOG_LEVEL: 'error',
      DATABASE_URL: databaseUrl,
      HIVE_API_NODES: nodeUrls.join(','),
    },
  });
  return { process, databaseUrl };
}

/** @returns its URL */
async function startBaseline(running: Running, name: string, environment: Record<string, string>): Promise<string> {
  const baseline = await OwnProcess.start(running, {
    name,
    script: `tools/bench/dist/gateway/baselines/${name}.js`,
    environment: { NODE_ENV: 'production', ...environment },
  });
  return baseline.line('http', listenTimeoutMs);
}
