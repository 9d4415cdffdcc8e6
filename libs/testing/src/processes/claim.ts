import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findProcess } from './inspect';
import { hasCode } from './system-error';

/** Another living process holds the claim. */
export class AlreadyClaimedError extends Error {
  override readonly name = 'AlreadyClaimedError';

  constructor(
    readonly folder: string,
    readonly pid: number,
  ) {
    super(`${folder} belongs to process ${pid}, which is running`);
  }
}

/**
 * Claims a resource for this process, by a folder with one file, which is named after the process. A claim of a dead
 * process is void.
 *
 * Only one of several processes gets the claim, because a folder can only replace an empty one. A void claim is removed
 * by the name of its file, so the claim of a faster process stays.
 *
 * @returns a function that releases the claim
 * @throws AlreadyClaimedError
 */
export function claim(folder: string): () => void {
  mkdirSync(path.dirname(folder), { recursive: true });
  const holder = `${process.pid} ${findProcess(process.pid)?.startedAt ?? ''}`;
  const complete = mkdtempSync(`${folder}.`);
  try {
    writeFileSync(path.join(complete, holder), '');
    const publish = (): void => {
      renameSync(complete, folder);
    };
    while (failsWith(['ENOTEMPTY', 'EEXIST'], publish)) removeVoidClaim(folder);
  } catch (error) {
    rmSync(complete, { recursive: true });
    throw error;
  }
  return () => {
    rmSync(path.join(folder, holder), { force: true });
    // Another process may have claimed the empty folder, or removed it.
    failsWith(['ENOTEMPTY', 'EEXIST', 'ENOENT'], () => {
      rmdirSync(folder);
    });
  };
}

/** @throws AlreadyClaimedError if the claim is not void */
function removeVoidClaim(folder: string): void {
  let holders: string[] = [];
  failsWith(['ENOENT'], () => (holders = readdirSync(folder)));
  for (const holder of holders) {
    const [pid, ...startedAt] = holder.split(' ');
    if (findProcess(Number(pid))?.startedAt === startedAt.join(' ')) throw new AlreadyClaimedError(folder, Number(pid));
    rmSync(path.join(folder, holder), { force: true });
  }
}

/** Whether an action fails with one of these errors. @throws any other error */
function failsWith(codes: readonly string[], action: () => void): boolean {
  try {
    action();
    return false;
  } catch (error) {
    if (codes.some((code) => hasCode(error, code))) return true;
    throw error;
  }
}
