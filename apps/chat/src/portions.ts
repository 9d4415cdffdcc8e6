import { setTimeout as pause } from 'node:timers/promises';

/** Minimum number of items in a portion. */
const minSize = 100;
/**
 * Maximum number of portions: the pauses then take a second. Subscribing has to end within the time to authenticate.
 */
const maxPortions = 200;
/** The pause between two portions, in milliseconds. */
const pauseMs = 5;

/** Splits a list into chunks of a size; the last one may be shorter. */
export function* chunks<Item>(all: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let begin = 0; begin < all.length; begin += size) yield all.slice(begin, begin + size);
}

/** Returns the items by key, in their order. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Splits the work for a long list, such as 10,000 conversations, into portions of 100 items or more, except the last.
 * It pauses before each portion but the first, so that the process serves others meanwhile.
 */
export async function* portionsOf<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  let isFirst = true;
  for (const portion of chunks(items, Math.max(minSize, Math.ceil(items.length / maxPortions)))) {
    if (!isFirst) await pause(pauseMs);
    isFirst = false;
    yield portion;
  }
}
