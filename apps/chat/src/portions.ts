import { setTimeout as pause } from 'node:timers/promises';
import { chunks } from './chunks';

const minSize = 100;
/** Maximum number of portions: the pauses then take a second. Subscribing has to end within the time to authenticate. */
const maxPortions = 200;
/** In milliseconds. */
const pauseMs = 5;

/**
 * Splits the work for a long list, such as 10,000 conversations, into portions of 100 items or more, except the last. It pauses before
 * each portion but the first, so that the process serves others meanwhile.
 */
export async function* portionsOf<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  let isFirst = true;
  for (const portion of chunks(items, Math.max(minSize, Math.ceil(items.length / maxPortions)))) {
    if (!isFirst) await pause(pauseMs);
    isFirst = false;
    yield portion;
  }
}
