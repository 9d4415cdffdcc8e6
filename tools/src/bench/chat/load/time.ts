import { setTimeout } from 'node:timers/promises';

/** How long the last messages are waited for. */
const drainTimeoutMs = 3_000;

/** How long the first message is waited for: one that has not come by then does not come. */
const firstTimeoutMs = 5_000;

const lookEveryMs = 10;

/** Waits for the last messages, and gives up. */
export function drained(isDrained: () => boolean): Promise<boolean> {
  return until(isDrained, drainTimeoutMs);
}

/** Waits for the first message, and gives up. */
export function begun(hasBegun: () => boolean): Promise<boolean> {
  return until(hasBegun, firstTimeoutMs);
}

async function until(isSo: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!isSo()) {
    if (performance.now() > deadline) return false;
    await setTimeout(lookEveryMs);
  }
  return true;
}
