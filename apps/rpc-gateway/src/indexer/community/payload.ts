import { Refusal, refuseUnless } from './refusal';

/** What an action says, as it came. */
export type Payload = Readonly<Record<string, unknown>>;

interface TextLimits {
  /** Characters. */
  readonly most: number;
  readonly mayBeBlank?: boolean;
}

/** @throws Refusal unless these are its keys; with `areAll`, all of them */
export function requireKeys(payload: Payload, keys: readonly string[], areAll: boolean): void {
  const missing = keys.filter((key) => !Object.hasOwn(payload, key));
  if (areAll && missing.length > 0) throw new Refusal(`missing keys: ${setOf(missing)}`);
  const extra = Object.keys(payload).filter((key) => !keys.includes(key));
  if (extra.length > 0) throw new Refusal(`extraneous keys: ${setOf(extra)}`);
}

/** @throws Refusal where it is no text, or not one that is allowed */
export function textOf(payload: Payload, key: string, { most, mayBeBlank = false }: TextLimits): string {
  const value = valueOf(payload, key);
  refuseUnless(typeof value === 'string', `key \`${key}\` was not str`);
  refuseUnless(mayBeBlank || value !== '', `key \`${key}\` was blank`);
  refuseUnless(value === value.trim(), `invalid padding: ${key}`);
  refuseUnless(Array.from(value).length <= most, `exceeds max len: ${key}`);
  return value;
}

/** @throws Refusal where it is neither */
export function booleanOf(payload: Payload, key: string): boolean {
  const value = valueOf(payload, key);
  refuseUnless(typeof value === 'boolean', `must be bool: ${key}`);
  return value;
}

/** @throws Refusal where it is no object, or an empty one */
export function objectOf(payload: Payload, key: string): Payload {
  const value = valueOf(payload, key);
  refuseUnless(value !== undefined && value !== null, `key \`${key}\` was blank`);
  refuseUnless(isObject(value), `key \`${key}\` not a dict`);
  refuseUnless(Object.keys(value).length > 0, `key \`${key}\` was blank`);
  return value;
}

export function valueOf(payload: Payload, key: string): unknown {
  return Object.hasOwn(payload, key) ? payload[key] : undefined;
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As the texts of public gateways write sets. */
function setOf(keys: readonly string[]): string {
  return `{${keys.map((key) => `'${key}'`).join(', ')}}`;
}
