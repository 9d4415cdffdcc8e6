/** The tokens of a text that is JSON: strings, punctuation, and numbers and words. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/**
 * Returns the text of a member's value, exactly as it is written.
 *
 * @param json the text of a JSON object
 * @returns undefined if the object has no such key
 */
export function textOfMember(json: string, key: string): string | undefined {
  let depth = 0;
  let before = '';
  let begin: number | undefined;
  let isNext = false;
  for (const { 0: token, index } of json.matchAll(tokens)) {
    if (isNext && token !== ':') begin ??= index;
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (begin !== undefined && depth === 1) return json.slice(begin, index + token.length);
    const isKey = depth === 1 && token.startsWith('"') && before !== ':';
    if (isKey) isNext = JSON.parse(token) === key;
    before = token;
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
  const written = json.match(tokens) ?? [];
  const forms = blanks.flatMap((blank) =>
    spellings.map((spell) =>
      written
        .map((token) => (token === ',' || token === ':' ? token + blank : token.startsWith('"') ? spell(token) : token))
        .join(''),
    ),
  );
  return [json, ...new Set(forms.filter((form) => form !== json))];
}
