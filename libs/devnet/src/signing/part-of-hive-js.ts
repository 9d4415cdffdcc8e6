import { createRequire } from 'node:module';

const load = createRequire(__filename);

/**
 * Loads a part of @hiveio/hive-js, which has no types: the caller checks the members that it uses. (An ambient
 * declaration would be missing if another project reads this library from its sources.)
 *
 * The whole library takes almost a second to load, its cryptography or its serializer a tenth of that.
 *
 * @param module such as `@hiveio/hive-js/lib/auth/ecc`
 * @param isPart whether the module, or that member of it, has the required members
 * @throws TypeError if it has not
 */
export function partOfHiveJs<Part>(
  module: string,
  isPart: (value: unknown) => value is Part,
  members: readonly string[] = [],
): Part {
  const loaded: unknown = load(module);
  const part = members.reduce(memberOf, loaded);
  if (!isPart(part)) throw new TypeError(`${[module, ...members].join('.')} is not what was expected`);
  return part;
}

/** Returns a member of an object or function; undefined if there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return (typeof value === 'object' || typeof value === 'function') && value !== null
    ? Reflect.get(value, name)
    : undefined;
}
