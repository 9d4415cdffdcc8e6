import { createLogger, type NamedClient, OpenConnections, type Service } from '@waggle/service';
import { createTemplate, createTestDatabase, type TestDatabase } from '@waggle/testing';
import { Client } from 'pg';
import { Pool } from 'undici';
import { createGateway } from '../../src/app';
import { type GatewayConfig, readApiConfig } from '../../src/config';
import { migrate } from '../../src/database';
import { followerName, initializeIndexState } from '../../src/index-state/index-state';
import { localMethodNames } from '../../src/local/local-methods';
import { readRouteFile } from '../../src/routes/read-route-file';

/** A long timeout of database connections, since the machine may be busy. */
export const longTimeout = { connectTimeoutMs: 20_000 };

/** Lets a gateway answer from an index whose state it read long ago, since the machine may be busy. */
export const oldIndex = { maxAgeMs: 60_000 };

/** Changes of the configuration for a test. */
export interface ConfigChanges {
  /** A route table whose backend `hive` uses `HIVE_API_NODES`. */
  routes?: string;
  corsOrigins?: string[];
  namedClients?: NamedClient[];
  redis?: GatewayConfig['redis'];
  cache?: GatewayConfig['cache'];
  callsPerMinute?: number;
  callsAtOnce?: number;
  requestsPerMinute?: number;
  maxResponseBytes?: number;
  hasStatusPage?: boolean;
  /** `complete`: empty, but stored as complete and at the head; for tests that apply no blocks. */
  index?: 'complete' | 'none';
  maxLagSeconds?: number;
  /** Whether its answers from the index do not depend on how busy the machine is. */
  isPatient?: boolean;
  /** The database of another instance, which drops it. */
  database?: TestDatabase;
  events?: Partial<GatewayConfig['events']>;
  stallMs?: number;
  /** Variables that the route table refers to. */
  environment?: Record<string, string>;
  /** Leads to the database by another way. */
  databaseUrl?: (url: string) => string;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Undefined if the body is empty. */
  readonly json: unknown;
}

/** The head of a route table; rows follow. */
export const routesHead = `
backends:
  hive: { nodes: HIVE_API_NODES }
defaults: { to: hive, timeout: 2s, cache: head, retries: 2, hedge: 100ms }
routes:
`;

/** The API on port 0, on a migrated database of its own. */
export class GatewayUnderTest {
  private constructor(
    private readonly gateway: Service,
    private readonly connections: OpenConnections,
    readonly database: TestDatabase,
    readonly url: string,
    private readonly http: Pool,
    private readonly ownsDatabase: boolean,
    /** All log lines of the API. */
    readonly logLines: readonly string[],
  ) {}

  /** @param nodes URLs */
  static async start(nodes: readonly string[], changes: ConfigChanges = {}): Promise<GatewayUnderTest> {
    const database = changes.database ?? (await createTestDatabase(await createTemplate('rpc_gateway', migrate)));
    if (changes.index !== 'none') await completeIndex(database.url);
    const environment = {
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: changes.databaseUrl?.(database.url) ?? database.url,
      HIVE_API_NODES: nodes.join(','),
      CALLS_PER_MINUTE: String(changes.callsPerMinute ?? 1_000_000_000),
      CALLS_AT_ONCE: String(changes.callsAtOnce ?? 1_000_000_000),
      REQUESTS_PER_MINUTE: String(changes.requestsPerMinute ?? 1_000_000_000),
      ...changes.environment,
    };
    const config = readApiConfig(environment);
    const logLines: string[] = [];
    const logger = createLogger('rpc-gateway', 'trace', { write: (line) => logLines.push(line) });
    const gateway = await createGateway(
      {
        ...config,
        http: {
          ...config.http,
          responses: {
            ...config.http.responses,
            bytesPerSecond: 1e9,
            ...(changes.stallMs !== undefined && { stallMs: changes.stallMs }),
          },
          corsOrigins: changes.corsOrigins ?? [],
          namedClients: changes.namedClients ?? [],
        },
        routes: changes.routes === undefined ? config.routes : routesOf(changes.routes, environment),
        database: { ...config.database, ...longTimeout },
        index: {
          maxLagSeconds: changes.maxLagSeconds ?? config.index.maxLagSeconds,
          ...(changes.isPatient === true && oldIndex),
        },
        redis: changes.redis,
        cache: changes.cache ?? config.cache,
        maxResponseBytes: changes.maxResponseBytes ?? config.maxResponseBytes,
        // Its files exist only after a build.
        hasStatusPage: changes.hasStatusPage ?? false,
        events: { ...config.events, pollIntervalMs: 20, ...changes.events },
      },
      logger,
    );
    const connections = new OpenConnections(gateway.app.getHttpServer());
    await gateway.app.listen({ host: '127.0.0.1', port: 0 });
    const url = await gateway.app.getUrl();
    return new GatewayUnderTest(
      gateway,
      connections,
      database,
      url,
      new Pool(url, { connections: 128 }),
      changes.database === undefined,
      logLines,
    );
  }

  /** @param body a string is sent unchanged, anything else as JSON */
  async post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await this.http.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body: sent,
    });
    const named = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const text = await response.body.text();
    const json: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.statusCode, headers: Object.fromEntries(named), text, json };
  }

  /** Sends one call to `/rpc`, with the id 1. */
  call(method: string, params: unknown = {}): Promise<HttpResponse> {
    return this.post('/rpc', { jsonrpc: '2.0', id: 1, method, params });
  }

  /** The block of the index that a call is answered from now; undefined if it is forwarded. */
  async indexBlock(): Promise<number | undefined> {
    const { headers } = await this.call('bridge.list_communities');
    return headers['x-gateway-source'] === 'index' ? Number(headers['x-gateway-index-block']) : undefined;
  }

  async get(path: string): Promise<HttpResponse> {
    const response = await this.http.request({ method: 'GET', path });
    const text = await response.body.text();
    return { status: response.statusCode, headers: {}, text, json: undefined };
  }

  /** Starts draining, as after SIGTERM: it still serves requests. */
  beginToDrain(): void {
    this.gateway.readiness.startDraining();
    this.connections.closeAfterResponses();
  }

  async stop(): Promise<void> {
    await this.http.close();
    // `fetch` keeps a connection that it opened for a request that was aborted.
    this.connections.closeUnused();
    await this.gateway.app.close();
    if (this.ownsDatabase) await this.database.drop();
  }
}

/** Stores that the index contains the whole chain, however long it is. */
async function completeIndex(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await initializeIndexState(client, {
    begins: new Date(0),
    notificationsFrom: new Date(0),
    firstBlock: 1,
    notificationDays: 90,
  });
  await client.query(
    `INSERT INTO chain_checkpoint (name, block_number, block_id, block_time, applied_at)
     VALUES ($1, 1000000000, '', now(), now())`,
    [followerName],
  );
  await client.end();
}

function routesOf(text: string, environment: Record<string, string>) {
  const read = readRouteFile(text, { environment, localMethods: localMethodNames });
  if ('settings' in read) return read.settings;
  throw new Error(read.errors.join('\n'));
}
