import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A slow mirror, or its index has to be read first. */
const fetchTimeoutMs = 180_000;

/** Options of apt-get and apt-cache that select the package index; empty for the machine's own. */
export type AptOptions = readonly string[];

/** Options for an index that has the package: the machine's, otherwise one that is downloaded into the folder. */
export async function readableIndex(folder: string, name: string): Promise<AptOptions> {
  if ((await candidateVersion([], name)) !== undefined) return [];
  const own = ownIndex(folder);
  await run('apt-get', ['update', ...own], inFolder(folder));
  return own;
}

/** Options for a separate package index in the folder. */
export function ownIndex(folder: string): AptOptions {
  const state = path.join(folder, 'apt');
  mkdirSync(path.join(state, 'lists/partial'), { recursive: true });
  mkdirSync(path.join(state, 'archives/partial'), { recursive: true });
  return ['-o', `Dir::State::lists=${state}/lists`, '-o', `Dir::Cache=${state}`, '-o', 'Debug::NoLocking=true'];
}

/** Removes the folder's index. */
export function removeIndex(folder: string): void {
  rmSync(path.join(folder, 'apt'), { recursive: true, force: true });
}

export async function updateIndex(apt: AptOptions): Promise<void> {
  await run('apt-get', ['update', ...apt], inFolder('/'));
}

/** Such as "1.24.1-1"; undefined if there is no such package. */
export async function candidateVersion(apt: AptOptions, name: string): Promise<string | undefined> {
  const { stdout } = await run('apt-cache', ['policy', ...apt, name], inFolder('/'));
  return /Candidate: (?!\(none\))(\S+)/.exec(stdout)?.[1];
}

/** Downloads packages and unpacks them into the folder: nothing is installed, and no root is needed. */
export async function unpack(apt: AptOptions, packages: readonly string[], folder: string): Promise<void> {
  // apt-get writes into the current folder.
  const downloads = path.join(folder, 'downloads');
  mkdirSync(downloads, { recursive: true });
  await run('apt-get', ['download', ...apt, ...packages], inFolder(downloads));
  for (const name of readdirSync(downloads))
    await run('dpkg', ['-x', path.join(downloads, name), folder], inFolder(folder));
  rmSync(downloads, { recursive: true });
}

/** The libraries that a package depends on. */
export async function librariesOf(apt: AptOptions, name: string): Promise<string[]> {
  const { stdout } = await run('apt-cache', ['depends', ...apt, name], inFolder('/'));
  return [...stdout.matchAll(/^ {2}Depends: (lib\S+)$/gm)].flatMap(([, library]) =>
    library === undefined ? [] : [library],
  );
}

/** The folders of unpacked libraries, as `LD_LIBRARY_PATH` has them. */
export function libraryPathIn(folder: string): string {
  const libraries = path.join(folder, 'usr/lib');
  const folders = existsSync(libraries) ? readdirSync(libraries).map((name) => path.join(libraries, name)) : [];
  return [libraries, ...folders].join(':');
}

/** The shared libraries that a program lacks. */
export async function missingLibraries(command: string, libraryPath: string): Promise<string[]> {
  const { env } = inFolder('/');
  const { stdout } = await run('ldd', [command], { env: { ...env, LD_LIBRARY_PATH: libraryPath } });
  return [...stdout.matchAll(/(\S+) => not found/g)].flatMap(([, library]) => (library === undefined ? [] : [library]));
}

function inFolder(cwd: string) {
  return { cwd, env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' }, timeout: fetchTimeoutMs };
}
