import { randomBytes } from 'node:crypto';
import { open, readdir, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Permissions of a new file: only the owner may read and write a secret. */
const newFileMode = 0o600;

const suffixBytes = 8;
const unfinishedSuffix = new RegExp(`^\\.[0-9a-f]{${suffixBytes * 2}}\\.tmp$`);

/**
 * Replaces a file atomically, even if the process crashes; the next call then removes the unfinished file. Of
 * concurrent calls one may fail. Owner and permissions of an existing file are preserved, since the service may run as
 * another user than the operator.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  await removeUnfinished(path);
  const unfinished = `${path}.${randomBytes(suffixBytes).toString('hex')}.tmp`;
  const file = await open(unfinished, 'wx', newFileMode);
  try {
    try {
      await copyOwnerAndMode(path, file);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await unlink(unfinished).catch(() => undefined);
    throw error;
  }
}

async function removeUnfinished(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  for (const other of await readdir(folder)) {
    if (other.startsWith(name) && unfinishedSuffix.test(other.slice(name.length))) await unlink(join(folder, other));
  }
}

/** Does nothing if there is no file at the path. */
async function copyOwnerAndMode(path: string, file: FileHandle): Promise<void> {
  const before = await stat(path).catch(() => undefined);
  if (before === undefined) return;
  const now = await file.stat();
  if (now.uid !== before.uid || now.gid !== before.gid) await file.chown(before.uid, before.gid);
  await file.chmod(before.mode & 0o777);
}
