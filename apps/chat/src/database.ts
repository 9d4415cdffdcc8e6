import { ServiceError } from '@waggle/service';
import { Pool, type ClientBase } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { CreateChat1763700000000 } from './migrations/1763700000000-create-chat';
import { AddRelationsAndRoles1763800000000 } from './migrations/1763800000000-add-relations-and-roles';
import { AddStreams1763900000000 } from './migrations/1763900000000-add-streams';
import { SessionEntity } from './sessions/session.entity';
import { SettingEntity } from './settings/setting.entity';

/** How long we wait for a connection, in milliseconds: a client waits behind each of these limits. */
const connectTimeoutMs = 2_000;
/** How long the server lets a statement wait for a row that another holds, and run at all. */
const lockTimeoutMs = 2_000;
const statementTimeoutMs = 5_000;
/** How long we wait for the server's answer: it may hang, and then it keeps no limit of its own. */
const queryTimeoutMs = 6_000;

/** The chat's database. Migrations are an explicit list, run by `migrate`, never at the start of the service. */
export function databaseOptions(database: { url: string; poolSize: number }): DataSourceOptions {
  return {
    type: 'postgres',
    url: database.url,
    entities: [SessionEntity, SettingEntity],
    migrations: [CreateChat1763700000000, AddRelationsAndRoles1763800000000, AddStreams1763900000000],
    migrationsTableName: 'migration',
    synchronize: false,
    poolSize: database.poolSize,
    connectTimeoutMS: connectTimeoutMs,
    extra: {
      lock_timeout: lockTimeoutMs,
      statement_timeout: statementTimeoutMs,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
      application_name: 'waggle-chat',
    },
  };
}

/** Injects TypeORM's `Pool`. */
export const POOL = Symbol('Pool');

/** TypeORM's own pool, for the hot statements that are written in SQL: one pool, so one limit. */
export function poolOf(dataSource: DataSource): Pool {
  const pool: unknown = dataSource.driver instanceof PostgresDriver ? dataSource.driver.master : undefined;
  if (!(pool instanceof Pool)) throw new Error('the chat needs PostgreSQL through node-postgres');
  return pool;
}

/** @throws Error when the database lacks a migration that this version of the service needs. */
export async function requireMigrated(dataSource: DataSource): Promise<void> {
  if (await dataSource.showMigrations()) {
    throw new Error(
      'The database lacks migrations of this version: run `npx nx run chat:migrate` (or `node dist/migrate.js`) first.',
    );
  }
}

/** Brings the schema up to date; every migration in a transaction of its own. */
export async function migrate(url: string): Promise<string[]> {
  const dataSource = new DataSource(databaseOptions({ url, poolSize: 2 }));
  await dataSource.initialize();
  try {
    const done = await dataSource.runMigrations({ transaction: 'each' });
    return done.map((migration) => migration.name);
  } finally {
    await dataSource.destroy();
  }
}

/** The pool, or one client of it with a transaction open. */
export type Queryable = Pick<ClientBase, 'query'>;

/** Runs the work in one transaction: all of it or nothing. */
export async function inTransaction<T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection that breaks while it is ours says so as an event too; the statement that waits fails in any case.
  const ignore = () => undefined;
  client.on('error', ignore);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.off('error', ignore);
    client.release();
    return result;
  } catch (error) {
    // After a refusal of ours the connection is as good as before; one in an unknown state is not given back.
    const isWell = error instanceof ServiceError && (await rolledBack(client));
    if (isWell) client.off('error', ignore);
    client.release(!isWell);
    throw error;
  }
}

async function rolledBack(client: ClientBase): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    // What counts is why the work failed.
    return false;
  }
}
