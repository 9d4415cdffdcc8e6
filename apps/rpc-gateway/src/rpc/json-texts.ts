/**
 * The texts of what lies directly in an object or array, by key or place. Numbers that JavaScript cannot hold stay as they
 * came, and a large value need be neither parsed nor written anew.
 *
 * @param json a text that `JSON.parse` has read as an object or array
 */
export function textsIn(json: string): Map<string, string> {
  const texts = new Map<string, string>();
  const isArray = json[afterBlanks(json, 0)] === '[';
  let position = afterBlanks(json, afterBlanks(json, 0) + 1);
  while (position < json.length && json[position] !== '}' && json[position] !== ']') {
    let key = String(texts.size);
    if (!isArray) {
      const end = endOfText(json, position);
      key = String(JSON.parse(json.slice(position, end)));
      // Behind the colon.
      position = afterBlanks(json, afterBlanks(json, end) + 1);
    }
    const end = endOfValue(json, position);
    texts.set(key, json.slice(position, end));
    position = afterBlanks(json, end);
    if (json[position] === ',') position = afterBlanks(json, position + 1);
  }
  return texts;
}

/** By code units, since comparing texts of one character took three times as long. */
const quote = 0x22;
const backslash = 0x5c;
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);
const comma = 0x2c;

function afterBlanks(json: string, start: number): number {
  let position = start;
  while (blanks.has(json.charCodeAt(position))) position += 1;
  return position;
}

/** @param start of a text, at its first quotation mark */
function endOfText(json: string, start: number): number {
  let end = start;
  do end = json.indexOf('"', end + 1);
  while (isEscaped(json, end));
  return end + 1;
}

function isEscaped(json: string, position: number): boolean {
  let first = position;
  while (json.charCodeAt(first - 1) === backslash) first -= 1;
  return (position - first) % 2 === 1;
}

function endOfValue(json: string, start: number): number {
  if (json.charCodeAt(start) === quote) return endOfText(json, start);
  let depth = 0;
  for (let position = start; position < json.length; position += 1) {
    const code = json.charCodeAt(position);
    if (code === quote) position = endOfText(json, position) - 1;
    else if (opening.has(code)) depth += 1;
    else if (closing.has(code)) {
      if (depth === 0) return position;
      depth -= 1;
      if (depth === 0) return position + 1;
    } else if (depth === 0 && (code === comma || blanks.has(code))) return position;
  }
  return json.length;
}
