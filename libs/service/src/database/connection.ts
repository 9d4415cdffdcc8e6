import { type ClientConfig } from 'pg';
import { type DataSourceOptions } from 'typeorm';

/** How long we wait for a connection, in milliseconds: a client waits behind each of these limits. */
const connectTimeoutMs = 2_000;
/** How long the server lets a statement wait for a row that another holds, and run at all. */
const lockTimeoutMs = 2_000;
const statementTimeoutMs = 5_000;
/** How long the server keeps a transaction, and what it has locked, whose next statement does not come. */
const idleTransactionTimeoutMs = 5_000;
/** How long we wait for the server's answer: it may hang, and then it keeps no limit of its own. */
const queryTimeoutMs = 6_000;

export interface DatabaseSettings {
  url: string;
  /** Connections at most. */
  poolSize: number;
  /** Statements may take as long as they need, as those of migrations do: an index of a large table takes hours. */
  unhurried?: boolean;
}

/** What a service adds: its name, as the server shows it, its tables and its migrations, as explicit lists. */
interface Schema {
  service: string;
  entities: NonNullable<DataSourceOptions['entities']>;
  migrations: NonNullable<DataSourceOptions['migrations']>;
}

/** What node-postgres is told of each connection of a service, whether a pool opens it or the service itself. */
export function connectionOptions(service: string, unhurried = false): ClientConfig {
  return {
    connectionTimeoutMillis: connectTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    ...(!unhurried && { statement_timeout: statementTimeoutMs, query_timeout: queryTimeoutMs }),
    keepAlive: true,
    // Instances look for transactions of one another by it; what takes its time is none of these.
    application_name: unhurried ? `waggle-${service}-migrations` : `waggle-${service}`,
  };
}

/** PostgreSQL by TypeORM. Migrations are run by a command, never at the start of the service. */
export function databaseOptions(
  { url, poolSize, unhurried = false }: DatabaseSettings,
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
    extra: connectionOptions(service, unhurried),
  };
}
