import { isFalseInPython } from '../custom-json/parse-json';
import { CommunityActionError, rejectUnless } from './community-action-error';

/** The unchecked payload of an action. */
export type Payload = Readonly<Record<string, unknown>>;

interface TextLimits {
  /** In characters. */
  readonly maxLength: number;
  readonly mayBeBlank?: boolean;
}

/** @throws CommunityActionError if a key is missing, or there are others */
export function requireKeys(payload: Payload, keys: readonly string[]): void {
  const missing = keys.filter((key) => !Object.hasOwn(payload, key));
  if (missing.length > 0) throw new CommunityActionError(`missing keys: ${formatSet(missing)}`);
  allowKeys(payload, keys);
}

/** @throws CommunityActionError if there are other keys */
export function allowKeys(payload: Payload, keys: readonly string[]): void {
  const extra = Object.keys(payload).filter((key) => !keys.includes(key));
  if (extra.length > 0) throw new CommunityActionError(`extraneous keys: ${formatSet(extra)}`);
}

/** @throws CommunityActionError if it is not a string within the limits */
export function textOf(payload: Payload, key: string, { maxLength, mayBeBlank = false }: TextLimits): string {
  const value = valueOf(payload, key);
  rejectUnless(typeof value === 'string', `key \`${key}\` was not str`);
  rejectUnless(mayBeBlank || value !== '', `key \`${key}\` was blank`);
  rejectUnless(value === value.trim(), `invalid padding: ${key}`);
  rejectUnless(Array.from(value).length <= maxLength, `exceeds max len: ${key}`);
  return value;
}

/** @throws CommunityActionError if it is not a boolean */
export function booleanOf(payload: Payload, key: string): boolean {
  const value = valueOf(payload, key);
  rejectUnless(typeof value === 'boolean', `must be bool: ${key}`);
  return value;
}

/** @throws CommunityActionError unless it is an object with at least one key */
export function objectOf(payload: Payload, key: string): Payload {
  const value = valueOf(payload, key);
  rejectUnless(!isFalseInPython(value), `key \`${key}\` was blank`);
  rejectUnless(isObject(value), `key \`${key}\` not a dict`);
  return value;
}

export function valueOf(payload: Payload, key: string): unknown {
  return Object.hasOwn(payload, key) ? payload[key] : undefined;
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Formats a set as Python does, for the error texts of public gateways. */
function formatSet(keys: readonly string[]): string {
  return `{${keys.map((key) => `'${key}'`).join(', ')}}`;
}
