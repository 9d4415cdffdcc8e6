import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findProcess } from './inspect';
import { hasCode } from './system-error';

/** Another living process holds the claim. */
export class AlreadyClaimedError extends Error {
  override readonly name = 'AlreadyClaimedError';

  constructor(
    readonly file: string,
    readonly pid: number,
  ) {
    super(`${file} belongs to process ${pid}, which is running`);
  }
}

/**
 * Claims a resource for this process, by a file that contains the process id. A claim of a process that has died is void.
 *
 * @returns a function that releases the claim
 * @throws AlreadyClaimedError
 */
export function claim(file: string): () => void {
  mkdirSync(path.dirname(file), { recursive: true });
  const complete = `${file}.${process.pid}`;
  writeFileSync(complete, `${process.pid} ${findProcess(process.pid)?.startedAt ?? ''}\n`);
  try {
    while (!linked(complete, file)) {
      const holder = findHolder(file);
      if (holder !== undefined) throw new AlreadyClaimedError(file, holder);
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(complete);
  }
  return () => {
    rmSync(file, { force: true });
  };
}

/** A link appears with its content or not at all. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function findHolder(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const [pid, ...start] = readFileSync(file, 'utf8').trim().split(' ');
  return findProcess(Number(pid))?.startedAt === start.join(' ') ? Number(pid) : undefined;
}
