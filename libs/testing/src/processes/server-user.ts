import { execFileSync } from 'node:child_process';

export interface ServerUser {
  uid: number;
  gid: number;
}

/**
 * Returns the user for servers if this process runs as root, since PostgreSQL refuses to run as root; otherwise
 * undefined.
 *
 * `nobody` exists on every system, owns nothing, and is not the user of the machine's own databases.
 */
export function findServerUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const read = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: read('-u'), gid: read('-g') };
}
