import { setTimeout } from 'node:timers/promises';

const pollIntervalMs = 10;

/**
 * Waits for a condition.
 *
 * @returns false after the time limit
 * @throws the signal's reason when it is aborted
 */
export async function isMetWithin(isMet: () => boolean, limitMs: number, signal?: AbortSignal): Promise<boolean> {
  const sinceMs = performance.now();
  while (!isMet()) {
    signal?.throwIfAborted();
    if (performance.now() - sinceMs > limitMs) return false;
    await setTimeout(pollIntervalMs);
  }
  return true;
}

/** Waits until the time is over or the signal is aborted. @returns false if the signal is aborted */
export async function pause(ms: number, signal?: AbortSignal): Promise<boolean> {
  await setTimeout(Math.max(0, ms), undefined, signal && { signal }).catch(() => undefined);
  return signal?.aborted !== true;
}

/** Waits until the time is over. @throws the signal's reason when it is aborted */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, signal);
  signal.throwIfAborted();
}
