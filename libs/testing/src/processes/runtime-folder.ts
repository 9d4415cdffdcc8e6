import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/**
 * The folder for downloaded programs and the empty PostgreSQL cluster, shared by all clones.
 *
 * For root it is outside of root's home, which the unprivileged user of the servers cannot access. No one else may
 * write to it, since programs in it are run.
 *
 * @throws Error if no candidate is usable
 */
export function runtimeFolder(): string {
  const errors: string[] = [];
  for (const folder of candidates()) {
    try {
      return ownFolder(folder);
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`no folder for server programs: ${errors.join('; ')}`);
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

/** Creates the folder if it is missing, and rejects one that others can write to. */
function ownFolder(folder: string): string {
  if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o755);
  const entry = lstatSync(folder);
  const uid = process.getuid?.() ?? entry.uid;
  if (!entry.isDirectory() || entry.uid !== uid || (entry.mode & 0o022) !== 0) {
    throw new Error(`${folder} must belong to this user and be writable only for it`);
  }
  return folder;
}
