import { setTimeout } from 'node:timers/promises';

/**
 * Maximum time that tests wait for anything, in milliseconds. Slightly less than the timeout of a test
 * (`tools/jest/base.cjs`), so that the error names the condition, and polling ends before the test.
 */
export const waitLimitMs = 240_000;

const minPauseMs = 10;
const maxPauseMs = 100;
/** The pause as a share of the time so far: polling, often by HTTP, costs less, and a test waits at most 5 % longer. */
const pauseShare = 0.05;

export interface UntilOptions {
  /** For tests with another timeout. */
  limitMs?: number;
  /** Returns what the error shows as the actual state. */
  actual?: () => unknown;
}

/** Polls a condition until it is met. @throws Error after 240 s, or `limitMs`, and any error of the condition */
export async function until(
  isMet: () => boolean | Promise<boolean>,
  { limitMs = waitLimitMs, actual }: UntilOptions = {},
): Promise<void> {
  const sinceMs = performance.now();
  while (!(await isMet())) {
    const elapsedMs = performance.now() - sinceMs;
    if (elapsedMs > limitMs) {
      const state = actual === undefined ? '' : `; there is ${JSON.stringify(await actual())}`;
      throw new Error(`timed out waiting for ${isMet.toString()}${state}`);
    }
    await setTimeout(Math.min(maxPauseMs, Math.max(minPauseMs, elapsedMs * pauseShare)));
  }
}
