/** A text as the database takes it: without the one character that it refuses, and without halves of characters. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
