import { setTimeout } from 'node:timers/promises';

/** How often is looked. */
const lookEveryMs = 10;

/**
 * Waits until it is so.
 *
 * @returns false where it did not come to that in time
 * @throws the signal's reason when it is aborted
 */
export async function until(isSo: () => boolean, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const sinceMs = performance.now();
  while (!isSo()) {
    signal.throwIfAborted();
    if (performance.now() - sinceMs > limitMs) return false;
    await setTimeout(lookEveryMs);
  }
  return true;
}

/** Sleeps, and not after the signal is aborted. @throws the signal's reason when it is aborted */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
