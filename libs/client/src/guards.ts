/** Says whether a value that came from outside is a T. What it has besides is let through: the service may be newer. */
export type Guard<T> = (value: unknown) => value is T;

export const isText: Guard<string> = (value) => typeof value === 'string';
export const isNumber: Guard<number> = (value) => typeof value === 'number';
export const isBoolean: Guard<boolean> = (value) => typeof value === 'boolean';
export const isNull: Guard<null> = (value) => value === null;

export function isNullOr<T>(guard: Guard<T>): Guard<T | null> {
  return (value) => value === null || guard(value);
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

/** What is checked of a T: where it is one of a few words, that it is a text. A newer service may know more words. */
type Checked<T> = T extends string ? string : T extends string[] ? string[] : T;

/** An object with at least these fields. The compiler sees to it that none of T is forgotten. */
export function isShape<T extends object>(fields: { [K in keyof T]-?: Guard<Checked<T[K]>> }): Guard<T> {
  const checks: [string, Guard<unknown>][] = Object.entries(fields);
  return (value): value is T => isObject(value) && checks.every(([name, check]) => check(value[name]));
}
