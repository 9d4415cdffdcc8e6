import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type AptOptions,
  candidateVersion,
  librariesOf,
  libraryPathIn,
  ownIndex,
  readableIndex,
  removeIndex,
  unpack,
  updateIndex,
} from '../packages/apt';
import { fillOnce } from '../packages/fill-once';
import { runtimeFolder } from '../processes/runtime-folder';
import { type PgBouncerProgram } from './binary';

/** Releases whose PgBouncer is too old, each with the next that has a newer one. */
const newerReleases: Readonly<Record<string, string>> = { bullseye: 'trixie', bookworm: 'trixie', jammy: 'noble' };

/**
 * Downloads PgBouncer from the package sources of a Debian or Ubuntu machine and unpacks it into the runtime folder,
 * once. If the version of the machine's release is too old, the next release's is used, with its C library.
 *
 * @throws Error without apt or network, or for an unknown release
 */
export async function fetchPgBouncer(): Promise<PgBouncerProgram> {
  const fetched = path.join(runtimeFolder(), `pgbouncer-${process.arch}`);
  await fillOnce(fetched, async (copy) => {
    const known = await readableIndex(copy, 'pgbouncer');
    const isNewEnough = hasPreparedStatements(await candidateVersion(known, 'pgbouncer'));
    const apt = isNewEnough ? known : await newerIndex(copy);
    const libraries = await librariesOf(apt, 'pgbouncer');
    // A second C library of the same release would be of no use.
    await unpack(apt, ['pgbouncer', ...libraries.filter((name) => !isNewEnough || name !== 'libc6')], copy);
    removeIndex(copy);
  });
  return programIn(fetched);
}

/** Runs the program with the unpacked loader, otherwise with the machine's; both search the folder first. */
function programIn(folder: string): PgBouncerProgram {
  const libraryPath = libraryPathIn(folder);
  const command = path.join(folder, 'usr/sbin/pgbouncer');
  const loader = libraryPath
    .split(':')
    .flatMap((each) => (existsSync(each) ? readdirSync(each).map((name) => path.join(each, name)) : []))
    .find((file) => /\/ld-linux-[^/]+\.so\.\d$/.test(file));
  return loader === undefined
    ? { command: '/usr/bin/env', args: [`LD_LIBRARY_PATH=${libraryPath}`, command] }
    : { command: loader, args: ['--library-path', libraryPath, command] };
}

/** The machine's package sources, of the next release. */
async function newerIndex(folder: string): Promise<AptOptions> {
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown';
  const newer = newerReleases[release];
  if (newer === undefined) throw new Error(`no newer PgBouncer is known for the release ${release}`);
  const parts = path.join(folder, 'apt/sources');
  mkdirSync(parts, { recursive: true });
  for (const file of sourceFiles()) {
    const text = readFileSync(file, 'utf8');
    if (text.includes(release)) writeFileSync(path.join(parts, path.basename(file)), text.replaceAll(release, newer));
  }
  const apt = [...ownIndex(folder), '-o', 'Dir::Etc::sourcelist=/dev/null', '-o', `Dir::Etc::sourceparts=${parts}`];
  await updateIndex(apt);
  return apt;
}

function sourceFiles(): string[] {
  const folder = '/etc/apt/sources.list.d';
  const parts = existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
  return ['/etc/apt/sources.list', ...parts].filter((file) => /\.(list|sources)$/.test(file) && existsSync(file));
}

/** Whether a version such as "1.24.1-1" is 1.21 or newer, which supports prepared statements in transaction mode. */
export function hasPreparedStatements(version = '0.0'): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > 1 || (major === 1 && minor >= 21);
}
