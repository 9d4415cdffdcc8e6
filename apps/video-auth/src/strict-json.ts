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
    else if (code === quote) at = endOfString(text, at);
  }
  return count;
}

/** Returns the index of the quote that ends the string which begins at this quote. */
function endOfString(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Whether an odd number of backslashes precedes a quote, so that the last one escapes it. */
function isEscaped(text: string, at: number): boolean {
  let begin = at;
  while (text.charCodeAt(begin - 1) === backslash) begin -= 1;
  return (at - begin) % 2 === 1;
}

/** Counts the keys of all objects in a value. */
function keysParsed(value: unknown): number {
  let count = 0;
  // Not by recursion: a text may nest deeper than calls can.
  const pending = [value];
  while (pending.length > 0) {
    const container = pending.pop();
    if (typeof container !== 'object' || container === null) continue;
    const children: unknown[] = Object.values(container);
    if (!Array.isArray(container)) count += children.length;
    for (const child of children) pending.push(child);
  }
  return count;
}
