import { tmpdir } from 'node:os';
import { startOnFreePort } from '../processes/local-server';
import { findServerUser } from '../processes/server-user';
import { getPgBouncer } from './binary';
import { PgBouncer } from './server';

export interface PgBouncerOptions {
  /** Connection string of a database of the PostgreSQL behind it. */
  upstream: string;
  /** Connections to PostgreSQL for each database and user. */
  poolSize: number;
  /** Further settings of pgbouncer.ini. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * Starts PgBouncer in transaction mode on a free port of 127.0.0.1 and resolves when it answers. It ends when `stop` is
 * called and when this process ends, however it ends. The first call on a machine without one fetches it, in some seconds.
 *
 * @throws Error one line that says how to get PgBouncer, where it cannot be had.
 */
export async function startPgBouncer({ upstream, poolSize, settings }: PgBouncerOptions): Promise<PgBouncer> {
  const program = await getPgBouncer();
  const user = findServerUser();
  const setUp = {
    program,
    upstream: new URL(upstream),
    settings: { default_pool_size: String(poolSize), ...settings },
    // As root, TMPDIR may lie where the server's user may not go.
    parentFolder: user === undefined ? tmpdir() : '/tmp',
    user,
  };
  return await startOnFreePort((port) => new PgBouncer(setUp, port));
}
