import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects garbage. */
function collectGarbage() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

/** What is still held after a collection, in bytes. */
export async function heapBytes(): Promise<number> {
  // What a finished request leaves behind is let go of in later turns of the event loop.
  for (let i = 0; i < 3; i += 1) {
    await new Promise(setImmediate);
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}
