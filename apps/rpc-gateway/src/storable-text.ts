/** Removes what PostgreSQL's `text` rejects: NUL characters and lone surrogates. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
