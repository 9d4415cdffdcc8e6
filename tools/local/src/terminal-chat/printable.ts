/**
 * Control characters (C0, C1, DEL), line separators, and marks that reverse the direction of the text. Other format
 * characters are allowed: emoji and several scripts need the zero-width joiner.
 */
const harmful = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes the text of another user safe to print on one line of a terminal: it cannot move the cursor, change colours,
 * ring, or imitate a line of another user. Replaced characters are shown as symbols.
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
