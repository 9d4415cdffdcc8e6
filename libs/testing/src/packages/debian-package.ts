import path from 'node:path';
import { runtimeFolder } from '../processes/runtime-folder';
import { librariesOf, libraryPathIn, missingLibraries, readableIndex, removeIndex, unpack } from './apt';
import { fillOnce } from './fill-once';

/** A program that packages of Debian and Ubuntu have. */
export interface PackagedProgram {
  /** A short name for its folder. */
  name: string;
  /** The packages that contain it. Missing libraries of the last one are downloaded too. */
  packages: readonly [string, ...string[]];
  /** The path of the program in the packages: `usr/bin/redis-server`. */
  file: string;
}

export interface FetchedProgram {
  command: string;
  /** Folders with its libraries, as `LD_LIBRARY_PATH` has them. */
  libraryPath: string;
}

/**
 * Downloads a program from the package sources of a Debian or Ubuntu machine and unpacks it into the runtime folder,
 * once. Nothing is installed, and no root is needed.
 *
 * @throws Error without apt or network
 */
export async function fetchProgram(program: PackagedProgram): Promise<FetchedProgram> {
  const fetched = path.join(runtimeFolder(), `${program.name}-${process.arch}`);
  await fillOnce(fetched, async (copy) => {
    const apt = await readableIndex(copy, program.packages[0]);
    await unpack(apt, program.packages, copy);
    if ((await missing(copy, program)).length > 0) {
      // Not the C library: every system has it, and a second one would break the program.
      const libraries = await librariesOf(apt, program.packages.at(-1) ?? '');
      await unpack(
        apt,
        libraries.filter((library) => library !== 'libc6'),
        copy,
      );
    }
    const stillMissing = await missing(copy, program);
    if (stillMissing.length > 0) throw new Error(`libraries are missing: ${stillMissing.join(', ')}`);
    removeIndex(copy);
  });
  return programIn(fetched, program);
}

function missing(folder: string, program: PackagedProgram): Promise<string[]> {
  const { command, libraryPath } = programIn(folder, program);
  return missingLibraries(command, libraryPath);
}

function programIn(folder: string, { file }: PackagedProgram): FetchedProgram {
  return { command: path.join(folder, file), libraryPath: libraryPathIn(folder) };
}
