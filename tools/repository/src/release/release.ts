import { PlainError } from '@waggle/running';
import { z } from 'zod';
import { type Repository } from './repository';
import { raiseVersion } from './version-files';

export interface Release {
  version: string;
  tag: string;
  /** Files that change: path from the root → new content. */
  files: ReadonlyMap<string, string>;
}

const changelogFile = 'CHANGELOG.md';
const unreleased = '## [Unreleased]';

/**
 * Plans a release without changing anything.
 *
 * @param requested see `nextVersion`
 * @throws PlainError if there is nothing to release
 */
export function planRelease(repository: Repository, requested: string | undefined, today: Date): Release {
  const files = repository.files();
  const current = z.looseObject({ version: z.string() }).parse(JSON.parse(files.get('package.json') ?? '{}')).version;
  const version = nextVersion(current, repository.hasTag(tagOf(current)), requested);
  const changelog = releaseChanges(files.get(changelogFile) ?? '', version, today.toISOString().slice(0, 10));
  return {
    version,
    tag: tagOf(version),
    files: new Map([...raiseVersion(files, version), [changelogFile, changelog]]),
  };
}

/** Writes the files, commits them and tags the commit. @throws PlainError if the clone has uncommitted changes */
export function commitRelease(repository: Repository, { version, tag, files }: Release): void {
  if (!repository.isClean())
    throw new PlainError('There are changes that are not committed: commit or undo them first.');
  repository.write(files);
  repository.commit([...files.keys()], `chore(release): ${version}`, tag);
}

/** Lists the lines that would be new, by file. */
export function previewOf(repository: Repository, { files }: Release): string {
  const current = repository.files();
  return [...files]
    .flatMap(([file, text]) => {
      const lines = new Set((current.get(file) ?? '').split('\n'));
      return [file, ...text.split('\n').flatMap((line) => (lines.has(line) ? [] : [`  + ${line.trim()}`]))];
    })
    .join('\n');
}

function tagOf(version: string): string {
  return `v${version}`;
}

/**
 * Returns the version to release.
 *
 * @param requested `major`, `minor`, `patch` or a version; default: the current version if it was never released,
 * otherwise `minor`
 * @throws PlainError if it does not come after the last released version
 */
function nextVersion(current: string, isReleased: boolean, requested = isReleased ? 'minor' : current): string {
  const [major, minor, patch] = partsOf(current);
  if (requested === 'major') return `${major + 1}.0.0`;
  if (requested === 'minor') return `${major}.${minor + 1}.0`;
  if (requested === 'patch') return `${major}.${minor}.${patch + 1}`;
  const difference = partsOf(requested)
    .map((part, index) => part - ([major, minor, patch][index] ?? 0))
    .find((part) => part !== 0);
  if (difference === undefined ? isReleased : difference < 0)
    throw new PlainError(`${requested} does not come after ${current}, which is the last version.`);
  return requested;
}

/** @throws PlainError if the text is not a version */
function partsOf(version: string): readonly [major: number, minor: number, patch: number] {
  const found = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  if (found === null) throw new PlainError(`"${version}" is not a version such as 1.2.3.`);
  return [Number(found[1]), Number(found[2]), Number(found[3])];
}

/**
 * Moves the unreleased changes under a heading with the version and the day.
 *
 * @param day `2026-01-31`
 * @throws PlainError if there are no unreleased changes
 */
function releaseChanges(changelog: string, version: string, day: string): string {
  const [before = '', after] = changelog.split(`${unreleased}\n`);
  const [changes = ''] = (after ?? '').split(/^## /m);
  if (after === undefined || changes.trim() === '')
    throw new PlainError(`The changelog has nothing under "${unreleased}": describe the changes there.`);
  return `${before}${unreleased}\n\n## [${version}] - ${day}\n${after}`;
}
