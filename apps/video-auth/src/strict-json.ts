/** An object in a JSON text has a key twice. Some parsers use the first value, others the last. */
export class RepeatedKeyError extends SyntaxError {
  override readonly name = 'RepeatedKeyError';

  constructor() {
    super('an object has a key twice');
  }
}

/**
 * Parses like `JSON.parse`, but rejects an object that has a key twice, even if the two are escaped differently.
 *
 * @throws SyntaxError, of the class RepeatedKeyError for such an object
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // The parser returns only one of duplicate keys.
  if (keysWritten(text) !== keysParsed(value)) throw new RepeatedKeyError();
  return value;
}

const [quote, colon, backslash] = [0x22, 0x3a, 0x5c];

/** Counts the keys of valid JSON: each is followed by a colon, and other colons are inside of strings. */
function keysWritten(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === colon) count += 1;
    else if (code === quote) at = endOfText(text, at);
  }
  return count;
}

/** The end of the string that begins at this quote. */
function endOfText(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Whether an odd number of backslashes precedes, so that the last one escapes the quote. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (at - first) % 2 === 1;
}

/** Counts the keys of all objects in a value. */
function keysParsed(value: unknown): number {
  let count = 0;
  // Not by recursion: a text may nest deeper than calls do.
  const waiting = [value];
  while (waiting.length > 0) {
    const each = waiting.pop();
    if (typeof each !== 'object' || each === null) continue;
    const inside: unknown[] = Object.values(each);
    if (!Array.isArray(each)) count += inside.length;
    for (const one of inside) waiting.push(one);
  }
  return count;
}
