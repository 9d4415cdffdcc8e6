import { setTimeout } from 'node:timers/promises';

/**
 * Slightly less than the timeout of a test, so that the error names the condition, and polling ends before the test.
 */
const patienceMs = 50_000;

const lookEveryMs = 10;

export interface UntilOptions {
  /** Where a test has another time than most. */
  limitMs?: number;
  /** What there is instead, where it does not come to that. */
  instead?: () => unknown;
}

/** Resolves when it is so. @throws Error where that takes longer than 50 s, or `limitMs`; and whatever the condition throws */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  { limitMs = patienceMs, instead }: UntilOptions = {},
): Promise<void> {
  const sinceMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - sinceMs > limitMs) {
      const seen = instead === undefined ? '' : `; there is ${JSON.stringify(await instead())}`;
      throw new Error(`waited in vain for ${isSo.toString()}${seen}`);
    }
    await setTimeout(lookEveryMs);
  }
}
