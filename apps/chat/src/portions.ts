import { setTimeout as pause } from 'node:timers/promises';
import { chunks } from './chunks';

const size = 100;
/** In milliseconds. */
const pauseMs = 5;
/** The pauses of a list together take about a second at most: an account is subscribed before its time to authenticate ends. */
const maxPausesMs = 1_000;

/**
 * Splits the work for a long list, such as 10,000 conversations, into portions of 100 items. After each full portion it pauses, so that
 * the process serves others meanwhile.
 */
export async function* portionsOf<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  const pauses = Math.floor(items.length / size);
  for (const portion of chunks(items, size)) {
    yield portion;
    if (portion.length === size) await pause(Math.min(pauseMs, maxPausesMs / pauses));
  }
}
