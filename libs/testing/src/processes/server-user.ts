import { execFileSync } from 'node:child_process';

export interface ServerUser {
  uid: number;
  gid: number;
}

/**
 * The user that servers run as when we are root, since PostgreSQL refuses to run as root; undefined when we are not.
 *
 * `nobody` is there on every system, owns nothing and is never the user of a database that the machine runs by itself.
 */
export function findServerUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const read = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: read('-u'), gid: read('-g') };
}
