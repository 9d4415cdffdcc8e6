import { execFileSync } from 'node:child_process';
import { fetchError } from '../packages/fetch-error';
import { fetchPgBouncer, hasPreparedStatements } from './fetch-pgbouncer';

/** Names a PgBouncer program that tests may use. */
const pgBouncerVariable = 'TEST_PGBOUNCER';

/** How to run PgBouncer: a program, and the arguments before its own. */
export interface PgBouncerProgram {
  command: string;
  args: readonly string[];
}

/**
 * Finds `pgbouncer`: the one that the environment names; otherwise the machine's; otherwise one downloaded from the
 * machine's package sources, without installing it.
 *
 * @throws Error one line that says how to get PgBouncer.
 */
export async function getPgBouncer(): Promise<PgBouncerProgram> {
  const named = process.env[pgBouncerVariable] ?? '';
  const known = named === '' ? ['pgbouncer', '/usr/sbin/pgbouncer'] : [named];
  const installed = known.map((command) => ({ command, args: [] })).find(canPool);
  if (installed !== undefined) return installed;
  try {
    if (named !== '') throw new Error(`${pgBouncerVariable} does not name one`);
    const fetched = await fetchPgBouncer();
    if (canPool(fetched)) return fetched;
    throw new Error('the fetched program does not run here');
  } catch (error) {
    throw fetchError(
      `no PgBouncer for the tests: install 1.21 or newer (apt-get install pgbouncer, brew install pgbouncer), or name the ` +
        `program by ${pgBouncerVariable}`,
      error,
    );
  }
}

function canPool({ command, args }: PgBouncerProgram): boolean {
  try {
    const output = execFileSync(command, [...args, '--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return hasPreparedStatements(/PgBouncer (\S+)/.exec(output)?.[1]);
  } catch {
    return false; // Not there, or a library is missing.
  }
}
