/** Longest message that the service stores, in Unicode characters. */
const maxCharacters = 4_000;

/** Returns how many characters can be added to a text; negative if it is too long. */
export function charactersLeft(text: string): number {
  return maxCharacters - Array.from(text).length;
}
