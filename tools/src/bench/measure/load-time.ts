import { setTimeout } from 'node:timers/promises';

/** Seconds of a clock that never goes back. */
export function nowSeconds(): number {
  return Number(process.hrtime.bigint()) / 1e9;
}

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

/**
 * Counts for a while, once it is warm.
 *
 * @returns by how much the count grew in a second, and the share of one core that this process took meanwhile
 */
export async function countPerSecond(
  { warmUpMs, measuredMs }: { warmUpMs: number; measuredMs: number },
  count: () => number,
): Promise<{ perSecond: number; busy: number }> {
  await setTimeout(warmUpMs);
  const [from, cpu, start] = [count(), process.cpuUsage(), nowSeconds()];
  await setTimeout(measuredMs);
  const [to, used, seconds] = [count(), process.cpuUsage(cpu), nowSeconds() - start];
  return { perSecond: (to - from) / seconds, busy: (used.user + used.system) / 1e6 / seconds };
}
