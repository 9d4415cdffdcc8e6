import { setTimeout } from 'node:timers/promises';

const pollIntervalMs = 10;

/**
 * Waits for a condition.
 *
 * @returns false after the time limit
 * @throws the signal's reason when it is aborted
 */
export async function until(isTrue: () => boolean, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const sinceMs = performance.now();
  while (!isTrue()) {
    signal.throwIfAborted();
    if (performance.now() - sinceMs > limitMs) return false;
    await setTimeout(pollIntervalMs);
  }
  return true;
}

/** Sleeps until the time is over. @throws the signal's reason when it is aborted */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
