import {
  fillNotifications,
  migrateService,
  OwnProcess,
  type Running,
  type ServiceProcess,
  startService,
} from '@waggle/running';
import { provideDatabase, withDatabase } from '@waggle/testing';
import { startDurablePostgres } from '../measure/durable-postgres';
import { measurableArguments } from '../measure/resident-memory';
import { startNginx } from './baselines/nginx';
import { type Sizes } from './sizes';

const app = 'rpc-gateway';
const listenTimeoutMs = 20_000;

/** The servers: PostgreSQL, a node, the gateway as it is deployed, and the baselines. */
export interface GatewayStack {
  readonly running: Running;
  /** The gateway that all figures share. */
  readonly gateway: ServiceProcess;
  readonly bareUrl: string;
  /** Undefined if nginx is not installed. */
  readonly nginxUrl: string | undefined;
  /** Creates a migrated, empty database. */
  readonly createDatabase: () => Promise<string>;
  readonly databaseUrl: string;
  /** Starts another gateway. */
  readonly startGateway: (nodeArguments?: readonly string[]) => Promise<ServiceProcess>;
  /** Starts a gateway with another index, and the baseline of `posts`. @returns their URLs */
  readonly startPostServers: (databaseUrl: string) => Promise<{ gatewayUrl: string; bareUrl: string }>;
  readonly startBareStreams: (nodeArguments: readonly string[]) => Promise<ServiceProcess>;
}

export async function startStack(running: Running, sizes: Sizes): Promise<GatewayStack> {
  const postgres = await startDurablePostgres(running);
  running.signal.throwIfAborted();
  const emptyUrl = await provideDatabase(postgres, app);
  await migrateService(running, app, emptyUrl);
  let databases = 0;
  const createDatabase = async (): Promise<string> => {
    databases += 1;
    const url = new URL(emptyUrl);
    url.pathname = `/${app}-${databases}`;
    // A copy of the migrated, empty one.
    const copy = `CREATE DATABASE "${app}-${databases}" OWNER "${app}" TEMPLATE "${app}"`;
    await withDatabase(postgres.url(), (client) => client.query(copy));
    return url.href;
  };
  const databaseUrl = await createDatabase();
  await fillNotifications(databaseUrl, sizes);
  const nodeUrl = await startBaseline(running, 'node', {});
  const environment = {
    DATABASE_URL: databaseUrl,
    HIVE_API_NODES: nodeUrl,
    // As in production, except for the limits of an address.
    CALLS_PER_MINUTE: '1000000000',
    CALLS_AT_ONCE: '1000000000',
    REQUESTS_PER_MINUTE: '1000000000',
    RESPONSE_MEGABYTES_PER_MINUTE: '1000000',
    EVENT_STREAMS: '20000',
    EVENT_STREAMS_PER_ADDRESS: '20000',
  };
  const startGateway = (nodeArguments: readonly string[] = []) =>
    startService(running, app, () => environment, { nodeArguments });
  const gateway = await startGateway(sizes.sharesGateway ? measurableArguments : []);
  const bareUrl = await startBaseline(running, 'bare-fastify', { DATABASE_URL: databaseUrl, NODE_URL: nodeUrl });
  const nginxUrl = await startNginx(running, nodeUrl);
  const startPostServers = async (url: string) => {
    const process = await startService(running, app, () => ({ ...environment, DATABASE_URL: url }));
    return { gatewayUrl: process.url, bareUrl: await startBaseline(running, 'bare-posts', { DATABASE_URL: url }) };
  };
  const startBareStreams = async (nodeArguments: readonly string[]) => {
    const process = await startProcess(running, 'bare-streams', {}, nodeArguments);
    return { process, url: await process.line('http', listenTimeoutMs) };
  };
  return {
    running,
    gateway,
    bareUrl,
    nginxUrl,
    databaseUrl,
    startGateway,
    startPostServers,
    startBareStreams,
    createDatabase,
  };
}

/** @returns its URL */
async function startBaseline(running: Running, name: string, environment: Record<string, string>): Promise<string> {
  return (await startProcess(running, name, environment)).line('http', listenTimeoutMs);
}

function startProcess(
  running: Running,
  name: string,
  environment: Record<string, string>,
  nodeArguments: readonly string[] = [],
): Promise<OwnProcess> {
  return OwnProcess.start(running, {
    name,
    script: `tools/bench/dist/gateway/baselines/${name}.js`,
    nodeArguments,
    environment: { NODE_ENV: 'production', ...environment },
  });
}
