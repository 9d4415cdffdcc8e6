import { type ClientBase, type ClientConfig } from 'pg';
import { type DataSourceOptions } from 'typeorm';
import { SnakeCaseColumns } from './entity-columns';
import { applyServerTimeouts, serverTimeouts } from './server-timeouts';

/** Connect timeout in milliseconds: a client is waiting. */
const defaultConnectTimeoutMs = 2_000;
/**
 * How long an idle connection stays open, in milliseconds. A new one costs about 20 ms of CPU time and plans every
 * statement again, so a burst should not have to open several.
 */
const idleTimeoutMs = 10 * 60_000;
/**
 * Interval of TCP keep-alive probes in milliseconds, so that firewalls and load balancers do not drop idle connections.
 */
const keepAliveDelayMs = 30_000;
/** Client-side query timeout: a server that hangs does not enforce its own limits. */
const queryTimeoutMs = 6_000;

export interface DatabaseSettings {
  url: string;
  /** Maximum number of connections. */
  poolSize: number;
  /** Removes the statement timeout, because an index of a large table takes hours. */
  isMigration?: boolean;
  /** Connect timeout in milliseconds; default 2,000. Only tests change it, since their machine may stall for longer. */
  connectTimeoutMs?: number;
  /**
   * Checks each new connection before it is used. If it rejects, the connection is closed and the waiting query fails
   * with that error.
   */
  verify?: (client: ClientBase) => Promise<void>;
}

/** What differs between services: the application name, and explicit lists of entities and migrations. */
interface Schema {
  service: string;
  entities: NonNullable<DataSourceOptions['entities']>;
  migrations: NonNullable<DataSourceOptions['migrations']>;
}

/**
 * Options of node-postgres for each connection, opened by a pool or by the service. `prepareConnection` sets the
 * timeouts of the server when it is open.
 */
export function connectionOptions(service: string, isMigration = false): ClientConfig {
  return {
    connectionTimeoutMillis: defaultConnectTimeoutMs,
    ...(!isMigration && { query_timeout: queryTimeoutMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    // Instances find each other's transactions by this name; migrations are not among them.
    application_name: isMigration ? `waggle-${service}-migrations` : `waggle-${service}`,
  };
}

/** Sets the server's timeouts on a new connection. Call it once, before the first query. */
export async function prepareConnection(client: ClientBase, isMigration = false): Promise<void> {
  await applyServerTimeouts(client, serverTimeouts(isMigration));
}

/** Options of TypeORM for PostgreSQL. Migrations are run by a command, never when the service starts. */
export function databaseOptions(
  { url, poolSize, isMigration = false, connectTimeoutMs = defaultConnectTimeoutMs, verify }: DatabaseSettings,
  { service, entities, migrations }: Schema,
): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities,
    namingStrategy: new SnakeCaseColumns(),
    migrations,
    migrationsTableName: 'migration',
    synchronize: false,
    poolSize,
    extra: {
      ...connectionOptions(service, isMigration),
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: idleTimeoutMs,
      onConnect: async (client: ClientBase) => {
        await prepareConnection(client, isMigration);
        await verify?.(client);
      },
    },
  };
}
