import { types } from 'node:util';
import { storable } from '../../storable';

/** Deeper than this nothing is meant seriously. */
const deepest = 64;

const stringLiteral = /"(?:[^"\\]|\\[\s\S])*"/g;

/**
 * Reads JSON as those who have put it on the chain meant it: strings may hold raw control characters, as JSON itself
 * forbids. All strings in it can be stored. Undefined for what is no JSON.
 */
export function readJson(text: string): unknown {
  const value = parse(text) ?? parse(text.replace(stringLiteral, escapeControls));
  return value === undefined ? undefined : storableValue(value, deepest);
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

/** Undefined in the place of what is nested too deeply. */
function storableValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return value.map((item) => storableValue(item, depth - 1));
  // `fromEntries` defines keys: one named `__proto__` is a key like any other.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storable(key), storableValue(item, depth - 1)] as const),
  );
}
