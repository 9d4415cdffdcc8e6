import { type ClientBase, type ClientConfig } from 'pg';
import { type DataSourceOptions } from 'typeorm';
import { SnakeCaseColumns } from './entity-columns';
import { applyServerTimeouts, serverTimeouts } from './server-timeouts';

/** Connect timeout in milliseconds: a request of a client may be waiting for the connection. */
const defaultConnectTimeoutMs = 2_000;
/**
 * Time that an idle connection stays open, in milliseconds. A new connection costs about 20 ms of CPU time and plans
 * every statement again, so a burst should not have to open several.
 */
const idleTimeoutMs = 10 * 60_000;
/**
 * Interval of TCP keep-alive probes in milliseconds, so that firewalls and load balancers do not drop idle connections.
 */
const keepAliveDelayMs = 30_000;
/** Query timeout of the database client, in milliseconds: a server that hangs does not enforce its own limits. */
const queryTimeoutMs = 6_000;

export interface DatabaseSettings {
  url: string;
  /** Maximum number of connections. */
  poolSize: number;
  /**
   * Whether the connections are for migrations. Their statements have no timeouts, because creating an index of a large
   * table takes hours, and they have an application name of their own.
   */
  isMigration?: boolean;
  /** Connect timeout in milliseconds; default 2,000. Only tests set it, because their machine may stall for longer. */
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
 * Returns the options of node-postgres for a connection, whether a pool or the service opens it. When the connection is
 * open, `prepareConnection` sets the timeouts of the server.
 */
export function connectionOptions(service: string, isMigration = false): ClientConfig {
  return {
    connectionTimeoutMillis: defaultConnectTimeoutMs,
    ...(!isMigration && { query_timeout: queryTimeoutMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    // Instances find the running transactions of all instances by this name. Migrations must not be among them.
    application_name: isMigration ? `waggle-${service}-migrations` : `waggle-${service}`,
  };
}

/** Sets the timeouts of the server for a new connection. Call it once, before the first query. */
export async function prepareConnection(client: ClientBase, isMigration = false): Promise<void> {
  await applyServerTimeouts(client, serverTimeouts(isMigration));
}

/** Returns the options of TypeORM for PostgreSQL. A command runs migrations; the service never does when it starts. */
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
      // Replaces the default of `connectionOptions`.
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: idleTimeoutMs,
      onConnect: async (client: ClientBase) => {
        await prepareConnection(client, isMigration);
        await verify?.(client);
      },
    },
  };
}
