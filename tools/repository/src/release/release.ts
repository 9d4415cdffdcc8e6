import { PlainError } from '@waggle/running';
import { z } from 'zod';
import { releaseChanges } from './changelog';
import { raiseVersion } from './places';
import { type Repository } from './repository';
import { nextVersion } from './version';

export interface Release {
  version: string;
  tag: string;
  /** Files that change: path from the root → new content. */
  files: ReadonlyMap<string, string>;
}

const changelogFile = 'CHANGELOG.md';
const tagOf = (version: string) => `v${version}`;

/**
 * What a release would change; changes nothing.
 *
 * @param asked see `nextVersion`
 * @throws PlainError where there is nothing to release
 */
export function planRelease(repository: Repository, asked: string | undefined, today: Date): Release {
  const files = repository.files();
  const current = z.looseObject({ version: z.string() }).parse(JSON.parse(files.get('package.json') ?? '{}')).version;
  const version = nextVersion(current, repository.hasTag(tagOf(current)), asked);
  const changelog = releaseChanges(files.get(changelogFile) ?? '', version, today.toISOString().slice(0, 10));
  return {
    version,
    tag: tagOf(version),
    files: new Map([...raiseVersion(files, current, version), [changelogFile, changelog]]),
  };
}

/** Writes the files, commits them and tags the commit. @throws PlainError where the clone has other changes */
export function carryOut(repository: Repository, { version, tag, files }: Release): void {
  if (!repository.isClean())
    throw new PlainError('There are changes that are not committed: commit or undo them first.');
  repository.write(files);
  repository.commit([...files.keys()], `waggle: version ${version}`, tag);
}

/** The lines that would be new, by file. */
export function previewOf(repository: Repository, { files }: Release): string {
  const now = repository.files();
  return [...files]
    .flatMap(([file, text]) => {
      const had = new Set((now.get(file) ?? '').split('\n'));
      return [file, ...text.split('\n').flatMap((line) => (had.has(line) ? [] : [`  + ${line.trim()}`]))];
    })
    .join('\n');
}
