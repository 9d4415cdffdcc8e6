/** In UTF-16 units. An emoji of a family has 25, and a letter may have any number of marks. */
const maxCharacterLength = 100;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The beginning of a text, at most `maxLength` UTF-16 units. It ends between two characters as users see them, so it
 * contains no part of an emoji or of a letter with marks, except of one of more than 100 units.
 */
export function beginningOf(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const { index = 0 } = graphemes.segment(text.slice(0, maxLength + maxCharacterLength)).containing(maxLength) ?? {};
  return text.slice(0, maxLength - index > maxCharacterLength ? maxLength : index);
}

/** The first character as users see it: a code point may be half a flag, or a letter without its marks. */
export function firstCharacter(text: string): string {
  return graphemes.segment(text.slice(0, maxCharacterLength)).containing(0)?.segment ?? '';
}

/** Longest message that the service stores, in Unicode characters. */
const maxCharacters = 4_000;

/** Returns how many characters can be added to a text; negative if it is too long. */
export function charactersLeft(text: string): number {
  return maxCharacters - Array.from(text).length;
}
