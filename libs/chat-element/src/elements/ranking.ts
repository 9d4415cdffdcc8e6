/** The items whose text matches a query, the best first; of those that match equally, in their order. */
export function matching<T>(items: readonly T[], query: string, textOf: (item: T) => string): T[] {
  return items
    .flatMap((item) => {
      const rank = rankOf(textOf(item), query);
      return rank === undefined ? [] : { item, rank };
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

/**
 * How well a text matches a query: lower is better. Undefined if it does not match. The beginning of the text is best,
 * then the beginning of a word, then any part.
 */
export function rankOf(text: string, query: string): number | undefined {
  const [folded, wanted] = [fold(text), fold(query)];
  const at = folded.indexOf(wanted);
  if (at <= 0) return at === 0 ? 0 : undefined;
  const beginsWord = Array.from(folded.matchAll(/[\s.\-_]+/gu)).some(({ 0: separator, index }) =>
    folded.startsWith(wanted, index + separator.length),
  );
  return beginsWord ? 1 : 2;
}

/** Without case and accents. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
