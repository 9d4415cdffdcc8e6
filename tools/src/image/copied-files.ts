import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';

/** A folder that COPY takes from: what is sent to the engine, or the files of a stage. */
export interface Source {
  folder: string;
  /** Whether a path, relative to the folder, may be copied. */
  has: (relative: string) => boolean;
  /** Whether its files stay as they are, so that a link is as good as a copy, as with an engine's layers. */
  isFinished: boolean;
}

export interface Copy {
  /** Relative to the source; `*` stands for a part of one name. */
  patterns: string[];
  /** An absolute path of the machine that copies. */
  destination: string;
  /** Whether the destination is a folder that files are put into. */
  isFolder: boolean;
  /** Whether the folders above what is copied are kept. */
  keepsParents: boolean;
}

/** COPY as an engine does it: the content of folders, and files. @throws Error where a name without `*` is not there */
export function copyFiles(source: Source, { patterns, destination, isFolder, keepsParents }: Copy): void {
  for (const pattern of patterns) {
    const found = matching(source, pattern);
    if (found.length === 0 && !pattern.includes('*')) throw new Error(`Dockerfile: COPY ${pattern}: it is not there`);
    for (const relative of found) {
      const isDirectory = lstatSync(path.join(source.folder, relative)).isDirectory();
      const name = keepsParents ? relative : isDirectory || !isFolder ? '' : path.basename(relative);
      copyTree(source, relative, path.join(destination, name));
    }
  }
}

function matching(source: Source, pattern: string): string[] {
  let found = [''];
  for (const part of path.posix.normalize(pattern).split('/')) {
    if (part === '' || part === '.') continue;
    found = found.flatMap((above) =>
      namesLike(part, path.join(source.folder, above)).map((name) => path.join(above, name)),
    );
  }
  return found.filter((relative) => relative === '' || source.has(relative));
}

function namesLike(part: string, folder: string): string[] {
  if (!part.includes('*')) return existsSync(path.join(folder, part)) ? [part] : [];
  const like = new RegExp(`^${part.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`);
  return existsSync(folder) && lstatSync(folder).isDirectory()
    ? readdirSync(folder).filter((name) => like.test(name))
    : [];
}

function copyTree(source: Source, relative: string, target: string): void {
  const from = path.join(source.folder, relative);
  const entry = lstatSync(from);
  if (entry.isDirectory()) {
    mkdirSync(target, { recursive: true });
    for (const name of readdirSync(from)) {
      const inside = path.join(relative, name);
      if (source.has(inside)) copyTree(source, inside, path.join(target, name));
    }
    return;
  }
  mkdirSync(path.dirname(target), { recursive: true });
  if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), target);
  else if (source.isFinished && !existsSync(target)) linkSync(from, target);
  else copyFileSync(from, target);
}
