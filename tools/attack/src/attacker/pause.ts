import { setTimeout } from 'node:timers/promises';

/**
 * Waits, and no longer than until the signal is aborted.
 *
 * @returns whether to go on: false when the signal has been aborted
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<boolean> {
  await setTimeout(ms, undefined, signal && { signal }).catch(() => undefined);
  return signal?.aborted !== true;
}
