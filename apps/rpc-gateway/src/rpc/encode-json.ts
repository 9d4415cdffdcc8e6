import { setImmediate } from 'node:timers/promises';
import { upstreamError } from '@waggle/contracts';
import { ConcurrencyLimiter } from '@waggle/service';
import { exactJson, JsonText } from './json-text';

/** Length of a part, in UTF-16 code units. It takes about 1 ms, or less if few characters are escaped. */
const partLength = 256 * 1024;

/** Number of parts that are encoded without waiting for longer results. Most results have one. */
const maxShortParts = 4;

/** The values that wait are in memory, at most 6 MiB each. */
const longEncodings = new ConcurrencyLimiter({ maxRunning: 1, maxQueued: 20, maxWaitMs: 2_000 }, () =>
  upstreamError('overloaded'),
);

/**
 * Serializes a value like `exactJson`, but lets other requests run after each part, and one long value at a time.
 *
 * @throws RpcError if too many long values wait
 */
export async function encodeJson(value: unknown): Promise<JsonText> {
  const parts = partsOf(value);
  const encoded = await take(parts, maxShortParts);
  if (encoded.length < maxShortParts) return new JsonText(...encoded);
  return longEncodings.run(async () => new JsonText(...encoded, ...(await take(parts, Infinity))));
}

async function take(parts: Iterator<string, unknown>, max: number): Promise<string[]> {
  const taken: string[] = [];
  for (let next = parts.next(); next.done !== true; next = parts.next()) {
    taken.push(next.value);
    if (next.value.length >= partLength) await setImmediate();
    if (taken.length === max) break;
  }
  return taken;
}

function* partsOf(value: unknown): Generator<string> {
  let part = '';
  for (const text of textsOf(value, 2)) {
    part += text;
    if (part.length < partLength) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}

/** @param depth of the arrays and objects whose elements and members have their own texts */
function* textsOf(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || typeof value !== 'object' || value === null || value instanceof JsonText) {
    yield exactJson(value);
    return;
  }
  const isArray = Array.isArray(value);
  let separator = isArray ? '[' : '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined && !isArray) continue;
    yield isArray ? separator : `${separator}${JSON.stringify(name)}:`;
    yield* textsOf(member, depth - 1);
    separator = ',';
  }
  if (separator !== ',') yield separator;
  yield isArray ? ']' : '}';
}
