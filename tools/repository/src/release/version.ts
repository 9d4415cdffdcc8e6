import { PlainError } from '@waggle/running';

/** The parts of `major.minor.patch`. */
type Parts = readonly [number, number, number];

/** @throws PlainError where it is no version */
function partsOf(version: string): Parts {
  const found = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  if (found === null) throw new PlainError(`"${version}" is not a version such as 1.2.3.`);
  return [Number(found[1]), Number(found[2]), Number(found[3])];
}

/**
 * The version to release.
 *
 * @param asked `major`, `minor`, `patch` or a version; by default that of the packages where it was never released, else a minor
 * @throws PlainError where it does not come after the one that was released last
 */
export function nextVersion(current: string, isReleased: boolean, asked = isReleased ? 'minor' : current): string {
  const [major, minor, patch] = partsOf(current);
  if (asked === 'major') return `${major + 1}.0.0`;
  if (asked === 'minor') return `${major}.${minor + 1}.0`;
  if (asked === 'patch') return `${major}.${minor}.${patch + 1}`;
  const difference = partsOf(asked)
    .map((part, index) => part - ([major, minor, patch][index] ?? 0))
    .find((part) => part !== 0);
  if (difference === undefined ? isReleased : difference < 0)
    throw new PlainError(`${asked} does not come after ${current}, which is the last version.`);
  return asked;
}
