import path from 'node:path';
import { fillOnce, librariesOf, libraryPathIn, missingLibraries, readableIndex, unpack } from '../packages/apt';
import { runtimeFolder } from '../processes/runtime-folder';
import type { RedisProgram } from './binary';

/** What the packages of Debian and Ubuntu need besides what every system has; asked for only where they are missing. */
const serverPackages = ['redis-server', 'redis-tools'];

/**
 * Downloads Redis from the package sources of a Debian or Ubuntu machine and unpacks it into the runtime folder, once.
 * Nothing is installed, and no root is needed.
 *
 * @throws Error where that is impossible: no apt, no network.
 */
export async function fetchRedis(): Promise<RedisProgram> {
  const fetched = path.join(runtimeFolder(), `redis-${process.arch}`);
  await fillOnce(fetched, async (copy) => {
    const apt = await readableIndex(copy, 'redis-server');
    await unpack(apt, serverPackages, copy);
    if ((await missing(copy)).length > 0) {
      // Every system has the C library; a second one beside it would break the program.
      const libraries = (await librariesOf(apt, 'redis-tools')).filter((library) => library !== 'libc6');
      await unpack(apt, libraries, copy);
    }
    const stillMissing = await missing(copy);
    if (stillMissing.length > 0) throw new Error(`libraries are missing: ${stillMissing.join(', ')}`);
  });
  return programIn(fetched);
}

function missing(folder: string): Promise<string[]> {
  return missingLibraries(commandIn(folder), libraryPathIn(folder));
}

function programIn(folder: string): RedisProgram {
  return { command: commandIn(folder), libraryPath: libraryPathIn(folder) };
}

function commandIn(folder: string): string {
  return path.join(folder, 'usr/bin/redis-server');
}
