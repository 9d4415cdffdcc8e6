import { setTimeout } from 'node:timers/promises';

/** Few transactions are longer than this in JSON. */
const longBodyBytes = 64 * 1024;

/** Ratio of a pause to the work before it: long bodies take at most a quarter of the time of the process. */
const pauseRatio = 3;

interface BodyHandler {
  run: () => void;
  /** Handles an error of a long body's `run`. */
  fail: (error: unknown) => void;
}

/**
 * Handles long bodies one after another, with pauses for other requests: decoding 1 MiB may take 30 ms. The memory that
 * bodies may occupy bounds the queue.
 */
export class LongBodies {
  private last = Promise.resolve();

  /**
   * Handles a long body when it is its turn, any other body at once. @throws what `run` throws, if the body is not long
   */
  handle(body: Buffer, handler: BodyHandler): void {
    if (body.length <= longBodyBytes) handler.run();
    else this.last = this.last.then(() => handleAndPause(handler));
  }
}

async function handleAndPause({ run, fail }: BodyHandler): Promise<void> {
  const startedMs = performance.now();
  try {
    run();
  } catch (error) {
    fail(error);
  }
  await setTimeout(pauseRatio * (performance.now() - startedMs), undefined, { ref: false });
}
