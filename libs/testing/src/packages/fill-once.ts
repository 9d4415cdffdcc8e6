import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';

/** Creates a folder once. Concurrent processes each fill a copy, and the first rename wins. */
export async function fillOnce(folder: string, fill: (copy: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return;
  const copy = createCopy(folder);
  try {
    await fill(copy);
    renameSync(copy, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Does the same as `fillOnce` for functions that are not asynchronous. */
export function fillOnceSync(folder: string, fill: (copy: string) => void): void {
  if (existsSync(folder)) return;
  const copy = createCopy(folder);
  try {
    fill(copy);
    renameSync(copy, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function createCopy(folder: string): string {
  const copy = `${folder}.${randomBytes(6).toString('hex')}`;
  mkdirSync(copy);
  return copy;
}
