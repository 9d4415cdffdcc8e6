import { assertion, badCast } from './errors';
import { type HiveTime, secondsOf } from './time';

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

/**
 * Parses a 64-bit number as fc does: a decimal text is accepted, null and false are 0, and a negative number wraps
 * around.
 */
export function uint64Of(value: unknown): bigint {
  if (value === null || typeof value === 'boolean') return BigInt(value ?? false);
  return BigInt.asUintN(
    64,
    typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : BigInt(integerOf(value)),
  );
}

/** Parses a 32-bit number like `uint64Of`, without its higher bits. */
export function uint32Of(value: unknown): number {
  return Number(BigInt.asUintN(32, uint64Of(value)));
}

const maxNameBytes = 16;

/** Parses a name that hived reads into a fixed string (fixed_string.hpp). It need not be a valid one. */
export function accountNameOf(value: unknown): string {
  const name = textOf(value);
  const is = Buffer.byteLength(name);
  if (is <= maxNameBytes) return name;
  throw assertion('in_len <= sizeof(data)', 'Input too large: `${in}` (${is}) for fixed size string: (${fs})', {
    in: name,
    is,
    fs: maxNameBytes,
  });
}

export function accountNamesOf(value: unknown): readonly string[] {
  return listOf(value).map(accountNameOf);
}

/** Parses a time; clients may add fractions of a second or a zone, which hived cuts off. */
export function timeOf(value: unknown): HiveTime {
  const time = textOf(value).slice(0, 19);
  if (Number.isNaN(secondsOf(time))) throw badCast('Cannot convert ${time} to time_point_sec', { time });
  return time;
}

export function flagOf(value: unknown): boolean {
  if (typeof value !== 'boolean') throw badCast('Cannot convert to bool');
  return value;
}

/** Reads a field that may be left out or null. */
export function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

/** Whether a text is JSON. Like Hive's parser, it accepts raw line breaks inside strings, which the chain contains. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/[\r\n\t]/g, ' '));
    return true;
  } catch {
    // Not JSON.
    return false;
  }
}
