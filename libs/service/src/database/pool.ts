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
  tolerateConnectionErrors(pool);
  return pool;
}

/**
 * Lets connections of the pool break. One that does says so as an event, which ends the process where nobody listens, and
 * nobody does at the moment in which the pool hands it over. Whatever waits for its answer fails in any case.
 */
export function tolerateConnectionErrors(pool: Pool) {
  const ignore = () => undefined;
  const watched = new WeakSet<ClientBase>();
  pool.on('error', ignore);
  pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    client.on('error', ignore);
  });
}

/** The pool, or one client of it with a transaction open. */
export type Queryable = Pick<ClientBase, 'query'>;

/**
 * What statements answer that were sent together in a transaction (`pipeline`), in the order in which they were sent.
 *
 * @throws why the first of them failed, once all have ended: those after it fail for that alone
 */
export async function resultsOf<T extends readonly unknown[] | []>(
  sent: T,
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  await Promise.allSettled(sent);
  return await Promise.all(sent);
}

/** Runs the work in one transaction of a pool that withstands breaks: all of it or nothing. */
export async function inTransaction<T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // After a refusal of ours the connection is as good as before; one in an unknown state is not given back.
    const isWell = error instanceof ServiceError && (await rolledBack(client));
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
