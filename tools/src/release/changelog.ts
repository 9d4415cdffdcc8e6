import { PlainError } from '../plain-error';

const unreleased = '## [Unreleased]';

/**
 * Moves the unreleased changes to a section of their version.
 *
 * @param day `2026-01-31`
 * @throws PlainError if there are no unreleased changes
 */
export function releaseChanges(changelog: string, version: string, day: string): string {
  const [before = '', after] = changelog.split(`${unreleased}\n`);
  const [changes = ''] = (after ?? '').split(/^## /m);
  if (after === undefined || changes.trim() === '')
    throw new PlainError(`The changelog has nothing under "${unreleased}": say there what is new.`);
  return `${before}${unreleased}\n\n## [${version}] - ${day}\n${after}`;
}
