/** Counts the code points of a text, without an array of them: it would take many times the memory of the text. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += isSurrogatePair(text, index) ? 2 : 1) count += 1;
  return count;
}

function isSurrogatePair(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xff_ff;
}

/** Returns the first code points of a text; the whole text if it has fewer. */
export function firstCharacters(text: string, count: number): string {
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
}
