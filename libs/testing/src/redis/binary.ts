import { execFileSync } from 'node:child_process';
import { fetchError } from '../packages/fetch-error';
import { fetchProgram, type PackagedProgram } from '../packages/debian-package';

/** How to run a Redis server: the program, and the folder of libraries that the machine lacks. */
export interface RedisProgram {
  command: string;
  libraryPath: string | undefined;
}

const debianRedis: PackagedProgram = {
  name: 'redis',
  packages: ['redis-server', 'redis-tools'],
  file: 'usr/bin/redis-server',
};

/** The oldest Redis with sharded publish and subscribe. */
const oldestMajorVersion = 7;

/**
 * Finds `redis-server`: the machine's; otherwise one downloaded from the machine's package sources, without installing
 * it.
 *
 * @throws Error one line that says how to get Redis.
 */
export async function getRedis(): Promise<RedisProgram> {
  const installed: RedisProgram = { command: 'redis-server', libraryPath: undefined };
  if (canServe(installed)) return installed;
  try {
    const fetched = await fetchProgram(debianRedis);
    if (canServe(fetched)) return fetched;
    throw new Error(`the fetched ${fetched.command} does not run here, or is older than ${oldestMajorVersion}`);
  } catch (error) {
    throw fetchError(
      `no Redis for the tests: install redis-server ${oldestMajorVersion} or newer (apt-get install redis-server, ` +
        `brew install redis), or name a running server by TEST_REDIS_URL`,
      error,
    );
  }
}

export function environmentOf({ libraryPath }: RedisProgram): NodeJS.ProcessEnv {
  const path = process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
  return { PATH: path, LC_ALL: 'C', ...(libraryPath === undefined ? {} : { LD_LIBRARY_PATH: libraryPath }) };
}

function canServe(program: RedisProgram): boolean {
  try {
    const output = execFileSync(program.command, ['--version'], {
      encoding: 'utf8',
      env: environmentOf(program),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const version = /v=(\d+)/.exec(output)?.[1];
    return version !== undefined && Number(version) >= oldestMajorVersion;
  } catch {
    return false; // Not there, or a library is missing.
  }
}
