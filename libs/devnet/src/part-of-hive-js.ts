import { createRequire } from 'node:module';

const load = createRequire(__filename);

/**
 * A part of @hiveio/hive-js, which has no types: who uses it says what of it is used, and looks at that before it is
 * believed. (An ambient declaration would be missing where another project reads this library from its sources.)
 *
 * The whole takes most of a second to load, its cryptography or its serializer a tenth of that.
 *
 * @param module such as `@hiveio/hive-js/lib/auth/ecc`
 * @param isPart whether what was loaded, or that member of it, has what is used
 * @throws TypeError when it has not
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

/** Undefined where there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return (typeof value === 'object' || typeof value === 'function') && value !== null
    ? Reflect.get(value, name)
    : undefined;
}
