import { open, rename, stat, unlink, type FileHandle } from 'node:fs/promises';

/** Readers and writers other than the owner have no business with a secret. */
const newFileMode = 0o600;

/**
 * Writes a file so that whoever reads it sees the old text or the new one, whole, also after a crash. A file that was there
 * keeps its owner and rights: the service that reads it may run as somebody else than whoever rotates.
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
