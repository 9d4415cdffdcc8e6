/**
 * What terminals obey (C0 and C1 control characters, DEL), what ends a line, and the marks that reverse the direction of
 * what follows. Plain format characters stay: emoji and several scripts need the zero-width joiner.
 */
const harmful = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text from somebody else, fit for one line of a terminal: it cannot move the cursor, change colours, ring, or look like
 * a line of another person. What was there remains visible as a symbol.
 */
export function printable(text: string): string {
  return text
    .replaceAll(/\r\n|\n/g, ' ⏎ ')
    .replaceAll('\t', '    ')
    .replace(harmful, (character) => symbolOf(character.charCodeAt(0)));
}

function symbolOf(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code); // Unicode's pictures of control characters.
  return code === 0x7f ? '\u2421' : '\ufffd';
}
