import { badCast } from './errors';

// Parsers of external JSON. Each returns its type or throws the error of a node for a wrong one.

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  if (!isFields(value)) throw badCast('Cannot convert to object');
  return value;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw badCast('Invalid cast from type to Array');
  return value;
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw badCast('Cannot convert to string');
  return value;
}

export function textsOf(value: unknown): readonly string[] {
  return listOf(value).map(textOf);
}

/** Parses a whole number that is not negative; nodes also accept it as a string. */
export function countOf(value: unknown): number {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
    throw badCast("Couldn't parse uint64_t");
  }
  return number;
}

/** Parses a whole number; nodes also accept it as a string. */
export function integerOf(value: unknown): number {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw badCast("Couldn't parse int64_t");
  return number;
}

export function flagOf(value: unknown): boolean {
  if (typeof value !== 'boolean') throw badCast('Cannot convert to bool');
  return value;
}

/** Reads a field that may be left out or null. */
export function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value);
}
