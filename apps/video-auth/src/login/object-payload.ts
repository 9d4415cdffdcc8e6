/** Matches the tokens of a JSON text: strings, punctuation, and numbers and words. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/**
 * Returns the text of a member's value, exactly as it is written.
 *
 * @param json the text of a JSON object
 * @returns undefined if the object has no such key
 */
export function textOfMember(json: string, key: string): string | undefined {
  let depth = 0;
  let previous = '';
  /** Whether the last key was the wanted one, so that its value follows. */
  let isValueNext = false;
  let valueBegin: number | undefined;
  for (const { 0: token, index } of json.matchAll(tokens)) {
    if (isValueNext && token !== ':') valueBegin ??= index;
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (valueBegin !== undefined && depth === 1) return json.slice(valueBegin, index + token.length);
    const isKey = depth === 1 && token.startsWith('"') && previous !== ':';
    if (isKey) isValueNext = JSON.parse(token) === key;
    previous = token;
  }
  return undefined;
}

/** The ways to write a string: unchanged, as JavaScript does, and as Python does by default. */
const spellings = [
  (string: string) => string,
  (string: string) => JSON.stringify(JSON.parse(string)),
  (string: string) =>
    JSON.stringify(JSON.parse(string)).replaceAll(
      /[\u007f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
];

/** The separator after a comma or colon: none in JavaScript, by default a space in Python. */
const blanks = ['', ' '];

/**
 * The texts of an object that its sender may have signed: as it was received, and compact and spaced with strings in
 * each spelling. Keys keep their order, and numbers their digits.
 *
 * @param json the object, as it was received
 * @returns one to seven, all different, the received one first
 */
export function signableForms(json: string): [string, ...string[]] {
  const received = json.match(tokens) ?? [];
  const forms = blanks.flatMap((blank) =>
    spellings.map((spell) => {
      const write = (token: string) => {
        if (token === ',' || token === ':') return token + blank;
        return token.startsWith('"') ? spell(token) : token;
      };
      return received.map(write).join('');
    }),
  );
  return [json, ...new Set(forms.filter((form) => form !== json))];
}
