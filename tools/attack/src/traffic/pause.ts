import { setTimeout } from 'node:timers/promises';

/** Waits until the time is over or the signal is aborted. @returns false if the signal is aborted */
export async function pause(ms: number, signal?: AbortSignal): Promise<boolean> {
  await setTimeout(ms, undefined, signal && { signal }).catch(() => undefined);
  return signal?.aborted !== true;
}
