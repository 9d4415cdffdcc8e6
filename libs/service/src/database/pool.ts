import { Pool, type ClientBase } from 'pg';
import { type DataSource } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { ServiceError } from '../errors';

/** Injects TypeORM's `Pool`. */
export const POOL = Symbol('Pool');

/** TypeORM's own pool, for the hot statements that are written in SQL: one pool, so one limit. */
export function poolOf(dataSource: DataSource): Pool {
  const pool: unknown = dataSource.driver instanceof PostgresDriver ? dataSource.driver.master : undefined;
  if (!(pool instanceof Pool)) throw new Error('PostgreSQL through node-postgres is needed');
  return pool;
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
