import { PlainError } from '@waggle/running';

const unreleased = '## Not released yet';

/**
 * Gives what is not released yet a version and a day.
 *
 * @param day `2026-01-31`
 * @throws PlainError where nothing stands under `## Not released yet`
 */
export function releaseChanges(changelog: string, version: string, day: string): string {
  const [before = '', after] = changelog.split(`${unreleased}\n`);
  const [changes = ''] = (after ?? '').split(/^## /m);
  if (after === undefined || changes.trim() === '')
    throw new PlainError(`The changelog has nothing under "${unreleased}": say there what is new.`);
  return `${before}${unreleased}\n\n## ${version}, ${day}\n${after}`;
}
