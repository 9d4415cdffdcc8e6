import { setTimeout } from 'node:timers/promises';

/** As long as the largest transaction, so honest clients rarely send longer bodies. */
const longBodyBytes = 64 * 1024;

/** How long a pause is, compared with the work before it: long bodies take at most a quarter of the time of the process. */
const pauseRatio = 3;

/**
 * Handles long bodies one after another, with pauses in which other requests are handled: decoding 1 MiB takes about 10 ms. The memory
 * that bodies may occupy bounds the queue.
 */
export class LongBodies {
  private last = Promise.resolve();

  /**
   * Calls `handle`, for a long body when it is its turn.
   *
   * @param handle must not throw
   */
  handle(body: Buffer, handle: () => void): void {
    if (body.length <= longBodyBytes) handle();
    else this.last = this.last.then(() => handleAndPause(handle));
  }
}

async function handleAndPause(handle: () => void): Promise<void> {
  const startedMs = performance.now();
  handle();
  await setTimeout(pauseRatio * (performance.now() - startedMs), undefined, { ref: false });
}
