import { type ClientBase, type ClientConfig } from 'pg';
import { type DataSourceOptions } from 'typeorm';
import { applyServerLimits, serverLimits } from './server-limits';

/** How long we wait for a connection, in milliseconds: a client waits behind each of these limits. */
const defaultConnectTimeoutMs = 2_000;
/**
 * How long a connection is kept that nobody uses, in milliseconds. A new one costs some 20 ms of processor time, and plans every
 * statement anew, so a burst must not have to open several.
 */
const idleTimeoutMs = 10 * 60_000;
/** An idle connection is kept in the tables of firewalls and load balancers by a probe after so long, in milliseconds. */
const keepAliveDelayMs = 30_000;
/** How long we wait for the server's answer: it may hang, and then it keeps no limit of its own. */
const queryTimeoutMs = 6_000;

export interface DatabaseSettings {
  url: string;
  /** Connections at most. */
  poolSize: number;
  /** Statements may take as long as they need, as those of migrations do: an index of a large table takes hours. */
  unhurried?: boolean;
  /** How long we wait for a connection, in milliseconds; default 2,000. Only tests need another: their machine may stand still for longer. */
  connectTimeoutMs?: number;
  /** Checks each new connection before it is used. If it rejects, the connection is closed and the query that needs it fails with that error. */
  verify?: (client: ClientBase) => Promise<void>;
}

/** What a service adds: its name, as the server shows it, its tables and its migrations, as explicit lists. */
interface Schema {
  service: string;
  entities: NonNullable<DataSourceOptions['entities']>;
  migrations: NonNullable<DataSourceOptions['migrations']>;
}

/**
 * What node-postgres is told of each connection of a service, whether a pool opens it or the service itself. What the server
 * has to keep to is told to it by `prepareConnection`, once it is open.
 */
export function connectionOptions(service: string, unhurried = false): ClientConfig {
  return {
    connectionTimeoutMillis: defaultConnectTimeoutMs,
    ...(!unhurried && { query_timeout: queryTimeoutMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    // Instances look for transactions of one another by it; what takes its time is none of these.
    application_name: unhurried ? `waggle-${service}-migrations` : `waggle-${service}`,
  };
}

/** For each connection, once, before anything is asked on it. */
export async function prepareConnection(client: ClientBase, unhurried = false): Promise<void> {
  await applyServerLimits(client, serverLimits(unhurried));
}

/** PostgreSQL by TypeORM. Migrations are run by a command, never at the start of the service. */
export function databaseOptions(
  { url, poolSize, unhurried = false, connectTimeoutMs = defaultConnectTimeoutMs, verify }: DatabaseSettings,
  { service, entities, migrations }: Schema,
): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities,
    migrations,
    migrationsTableName: 'migration',
    synchronize: false,
    poolSize,
    extra: {
      ...connectionOptions(service, unhurried),
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: idleTimeoutMs,
      onConnect: async (client: ClientBase) => {
        await prepareConnection(client, unhurried);
        await verify?.(client);
      },
    },
  };
}
