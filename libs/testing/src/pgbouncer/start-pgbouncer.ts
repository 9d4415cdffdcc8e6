import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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
 * Starts PgBouncer in transaction mode on a free port of 127.0.0.1 and resolves when it responds. It ends when `stop`
 * is called, or when this process ends in any way. The first call may download it, in a few seconds.
 *
 * @throws Error one line on how to get PgBouncer
 */
export async function startPgBouncer({ upstream, poolSize, settings }: PgBouncerOptions): Promise<PgBouncer> {
  const program = await getPgBouncer();
  const user = findServerUser();
  // TMPDIR of root may not be accessible to the server's user.
  const folder = mkdtempSync(path.join(user === undefined ? tmpdir() : '/tmp', 'waggle-pgbouncer-'));
  const setUp = {
    program,
    upstream: new URL(upstream),
    settings: { default_pool_size: String(poolSize), ...settings },
    folder,
    user,
  };
  try {
    return await startOnFreePort((port) => new PgBouncer(setUp, port));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
