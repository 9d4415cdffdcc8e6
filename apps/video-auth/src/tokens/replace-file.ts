import { open, rename, stat, unlink, type FileHandle } from 'node:fs/promises';

/** Readers and writers other than the owner have no business with a secret. */
const newFileMode = 0o600;

/**
 * Replaces a file atomically, also in case of a crash. Owner and permissions of an existing file are preserved, since
 * the service may run as another user than the operator.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  const file = await open(unfinished, 'wx', newFileMode);
  try {
    try {
      await likeBefore(file, path);
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

async function likeBefore(file: FileHandle, path: string): Promise<void> {
  const before = await stat(path).catch(() => undefined);
  if (before === undefined) return;
  const now = await file.stat();
  if (now.uid !== before.uid || now.gid !== before.gid) await file.chown(before.uid, before.gid);
  await file.chmod(before.mode & 0o777);
}
