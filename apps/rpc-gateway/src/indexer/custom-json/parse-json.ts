import { toStorableText } from '../../storable-text';
import { types } from 'node:util';
import { z } from 'zod';

/** Deeper than any legitimate operation. */
const maxDepth = 64;

/** The end is optional, so that a literal without one is not searched for again from each of its quotes. */
const stringLiteral = /"(?:[^"\\]|\\[\s\S])*"?/g;

/**
 * Parses the JSON of an operation. Unlike `JSON.parse` it accepts raw control characters in strings, which exist on the
 * chain, and removes characters that the database cannot store.
 *
 * @returns undefined if it is not JSON
 */
export function parseJson(text: string): unknown {
  const value = parse(text) ?? parse(text.replace(stringLiteral, escapeControls));
  return value === undefined ? undefined : storableValue(value, maxDepth);
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    if (types.isNativeError(error)) return undefined;
    throw error;
  }
}

function escapeControls(literal: string): string {
  return literal.replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Replaces values that are nested too deeply by undefined. */
function storableValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return value.map((item) => storableValue(item, depth - 1));
  // Unlike an assignment, `fromEntries` treats `__proto__` as an ordinary key.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [toStorableText(key), storableValue(item, depth - 1)] as const),
  );
}

/** Whether the network's gateways, which are written in Python, treat a JSON value as missing. */
export function isFalseInPython(value: unknown): boolean {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** The usual form of custom operations: `[name, {…}]`. */
const command = z.tuple([z.string(), z.record(z.string(), z.unknown())]);

/** Parses a command, `[name, payload]`. @returns undefined for any other form */
export function parseCommand(json: unknown): { name: string; payload: Readonly<Record<string, unknown>> } | undefined {
  const { data } = command.safeParse(json);
  return data && { name: data[0], payload: data[1] };
}
