import { setTimeout } from 'node:timers/promises';

/**
 * How long a node may lack what it has reported as irreversible, in milliseconds: public nodes get heads from hived, and blocks and
 * operations from HAF, a database into which hived writes them.
 */
export const maxStorageDelayMs = 2_000;

const pollMs = 500;

/**
 * Repeats a read whose result is empty, until the nodes should have stored what is read.
 *
 * @param read rejects if the result is empty and must not be; gets the number of earlier attempts too
 */
export async function untilStored<T>(
  read: (mayBeEmpty: boolean, attempt: number) => Promise<T>,
  isEmpty: (result: T) => boolean,
): Promise<T> {
  const endMs = performance.now() + maxStorageDelayMs;
  for (let attempt = 0; ; attempt++) {
    const result = await read(performance.now() < endMs, attempt);
    if (!isEmpty(result)) return result;
    await setTimeout(pollMs);
  }
}
