/** Splits a list into chunks of a size; the last one may be shorter. */
export function* chunks<Item>(all: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let begin = 0; begin < all.length; begin += size) yield all.slice(begin, begin + size);
}
