/** A text of JSON in which one object has a key twice: readers differ about which one counts. */
export class RepeatedKeyError extends SyntaxError {
  override readonly name = 'RepeatedKeyError';

  constructor() {
    super('an object has a key twice');
  }
}

/** Texts and marks; in a text that has been parsed already, what lies between says nothing about keys. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]/gs;

/**
 * As `JSON.parse`, but a key may stand in an object once only, however it is escaped.
 *
 * @throws SyntaxError
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  requireKeysOnce(text);
  return value;
}

function requireKeysOnce(text: string): void {
  // The keys of each object that is open; undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') addKey(open.at(-1), last);
    last = token;
  }
}

function addKey(keys: Set<string> | undefined, written: string): void {
  const key = written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1);
  if (keys?.has(key) === true) throw new RepeatedKeyError();
  keys?.add(key);
}
