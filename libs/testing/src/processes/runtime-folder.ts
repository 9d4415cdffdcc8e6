import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/**
 * The folder for what is fetched or unpacked once and used by every clone: programs of servers.
 *
 * As root it lies where the unprivileged user of the servers may go, which root's home is not. It is always ours alone
 * to write: programs in it are run.
 *
 * @throws Error when none of the candidates can be used.
 */
export function runtimeFolder(): string {
  const faults: string[] = [];
  for (const folder of candidates()) {
    try {
      return ownFolder(folder);
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`no folder to keep server programs in: ${faults.join('; ')}`);
}

function candidates(): string[] {
  const uid = process.getuid?.();
  if (uid === 0) return ['/var/lib/waggle', '/var/tmp/waggle-0'];
  const cache = process.env['XDG_CACHE_HOME'];
  return [
    path.join(cache !== undefined && path.isAbsolute(cache) ? cache : path.join(homedir(), '.cache'), 'waggle'),
    path.join(tmpdir(), `waggle-${uid ?? 'user'}`),
  ];
}

/** Makes the folder where it is missing, and refuses one that somebody else could write to. */
export function ownFolder(folder: string): string {
  if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o755);
  const entry = lstatSync(folder);
  const uid = process.getuid?.() ?? entry.uid;
  if (!entry.isDirectory() || entry.uid !== uid || (entry.mode & 0o022) !== 0) {
    throw new Error(`${folder} is not a folder of ours that nobody else may write to`);
  }
  return folder;
}
