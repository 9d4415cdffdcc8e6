import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { runtimeFolder } from './runtime-folder';

const run = promisify(execFile);

/** A program that packages of Debian and Ubuntu have. */
export interface PackagedProgram {
  /** Short: of the folder that it is kept in. */
  name: string;
  /** The packages it is in, besides what every system has; the libraries of the last one are asked for where they are missing. */
  packages: readonly [string, ...string[]];
  /** Where it lies in them: `usr/bin/redis-server`. */
  file: string;
}

export interface FetchedProgram {
  command: string;
  /** Folders with its libraries, as `LD_LIBRARY_PATH` has them. */
  libraryPath: string;
}

/** A slow mirror, or its index has to be read first. */
const fetchTimeoutMs = 180_000;

/**
 * Downloads a program from the package sources of a Debian or Ubuntu machine and unpacks it into the runtime folder, once.
 * Nothing is installed, and no root is needed.
 *
 * @throws Error where that is impossible: no apt, no network.
 */
export async function fetchProgram(program: PackagedProgram): Promise<FetchedProgram> {
  const fetched = path.join(runtimeFolder(), `${program.name}-${process.arch}`);
  if (!existsSync(fetched)) await fetchInto(fetched, program);
  return programIn(fetched, program);
}

/** Several runs may do this at once: each fetches its own copy, and the first to have it in place wins. */
async function fetchInto(fetched: string, program: PackagedProgram): Promise<void> {
  const copy = `${fetched}.${randomBytes(6).toString('hex')}`;
  mkdirSync(copy);
  try {
    const apt = await readableIndex(copy, program.packages[0]);
    await unpack(apt, program.packages, copy);
    const missing = await missingLibraries(programIn(copy, program));
    if (missing.length > 0) await unpack(apt, await librariesOf(apt, program.packages.at(-1) ?? ''), copy);
    const stillMissing = await missingLibraries(programIn(copy, program));
    if (stillMissing.length > 0) throw new Error(`libraries are missing: ${stillMissing.join(', ')}`);
    renameSync(copy, fetched);
  } catch (error) {
    if (!existsSync(fetched)) throw error;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function programIn(folder: string, { file }: PackagedProgram): FetchedProgram {
  const libraries = path.join(folder, 'usr/lib');
  const folders = existsSync(libraries) ? readdirSync(libraries).map((name) => path.join(libraries, name)) : [];
  return { command: path.join(folder, file), libraryPath: [libraries, ...folders].join(':') };
}

/** Options for apt under which it knows the packages: the machine's own index, else one fetched for us alone. */
async function readableIndex(folder: string, wanted: string): Promise<string[]> {
  const { stdout } = await run('apt-cache', ['policy', wanted], inFolder(folder));
  if (/Candidate: (?!\(none\))/.test(stdout)) return [];
  const state = path.join(folder, 'apt');
  mkdirSync(path.join(state, 'lists/partial'), { recursive: true });
  mkdirSync(path.join(state, 'archives/partial'), { recursive: true });
  const own = ['-o', `Dir::State::lists=${state}/lists`, '-o', `Dir::Cache=${state}`, '-o', `Debug::NoLocking=true`];
  await run('apt-get', ['update', ...own], inFolder(folder));
  return own;
}

async function unpack(apt: string[], packages: readonly string[], folder: string): Promise<void> {
  // apt-get writes into the current folder.
  const downloads = path.join(folder, 'downloads');
  mkdirSync(downloads, { recursive: true });
  await run('apt-get', ['download', ...apt, ...packages], inFolder(downloads));
  for (const name of readdirSync(downloads))
    await run('dpkg', ['-x', path.join(downloads, name), folder], inFolder(folder));
  rmSync(downloads, { recursive: true });
}

async function librariesOf(apt: string[], name: string): Promise<string[]> {
  const { stdout } = await run('apt-cache', ['depends', ...apt, name], inFolder('/'));
  return [...stdout.matchAll(/^ {2}Depends: (lib\S+)$/gm)].flatMap(([, library]) =>
    // Every system has the C library; a second one beside it would break the program.
    library === undefined || library === 'libc6' ? [] : [library],
  );
}

async function missingLibraries({ command, libraryPath }: FetchedProgram): Promise<string[]> {
  const { env } = inFolder('/');
  const { stdout } = await run('ldd', [command], { env: { ...env, LD_LIBRARY_PATH: libraryPath } });
  return [...stdout.matchAll(/(\S+) => not found/g)].flatMap(([, library]) => (library === undefined ? [] : [library]));
}

function inFolder(cwd: string) {
  return { cwd, env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' }, timeout: fetchTimeoutMs };
}
