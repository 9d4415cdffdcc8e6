/** Checks whether a value from outside is a T. Further fields are ignored, since the service may be newer. */
export type Guard<T> = (value: unknown) => value is T;

export const isString: Guard<string> = (value) => typeof value === 'string';
export const isNumber: Guard<number> = (value) => typeof value === 'number';
export const isBoolean: Guard<boolean> = (value) => typeof value === 'boolean';
export const isNull: Guard<null> = (value) => value === null;

export function isEither<A, B>(isA: Guard<A>, isB: Guard<B>): Guard<A | B> {
  return (value) => isA(value) || isB(value);
}

export function isAbsentOr<T>(guard: Guard<T>): Guard<T | undefined> {
  return (value) => value === undefined || guard(value);
}

export function isListOf<T>(guard: Guard<T>): Guard<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(guard);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks an object with at least the given fields, which are generated from the schema of T. */
export function isShape<T>(fields: Record<string, Guard<unknown>>): Guard<T> {
  const checks = Object.entries(fields);
  return (value): value is T => isObject(value) && checks.every(([name, check]) => check(value[name]));
}

/** Parses JSON. Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
