import { Pool, type ClientBase } from 'pg';
import { type DataSource } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { ServiceError } from '../errors/errors';

/** Injects TypeORM's `Pool`. */
export const POOL = Symbol('Pool');

/** TypeORM's pool, for statements in SQL, so that both share one limit of connections. */
export function poolOf(dataSource: DataSource): Pool {
  const pool: unknown = dataSource.driver instanceof PostgresDriver ? dataSource.driver.master : undefined;
  if (!(pool instanceof Pool)) throw new Error('PostgreSQL through node-postgres is needed');
  tolerateConnectionErrors(pool);
  return pool;
}

const tolerantPools = new WeakSet<Pool>();

/**
 * Adds error listeners to the connections of the pool, once. A broken connection emits an error event, which would end
 * the process without a listener, and the pool has none while it hands a connection over. The running query fails in
 * any case.
 */
export function tolerateConnectionErrors(pool: Pool): void {
  if (tolerantPools.has(pool)) return;
  tolerantPools.add(pool);
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
 * Waits for statements that were sent together in a transaction (`pipeline`). @returns their results in the same order
 *
 * @throws the error of the first that failed, when all are done: the later ones fail only because of it
 */
export async function resultsOf<T extends readonly unknown[] | []>(
  sent: T,
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  await Promise.allSettled(sent);
  return await Promise.all(sent);
}

/** Runs the work in one transaction, and rolls it back if it throws. The pool needs `tolerateConnectionErrors`. */
export async function inTransaction<T>(pool: Pool, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // After a ServiceError and a rollback the connection can be reused; otherwise its state is unknown, and it is
    // closed.
    const isReusable = error instanceof ServiceError && (await rolledBack(client));
    client.release(!isReusable);
    throw error;
  }
}

async function rolledBack(client: ClientBase): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    // The caller gets the error of the work.
    return false;
  }
}
