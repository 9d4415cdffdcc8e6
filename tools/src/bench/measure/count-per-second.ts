import { setTimeout } from 'node:timers/promises';

/** Seconds of a clock that never goes back. */
export function nowSeconds(): number {
  return Number(process.hrtime.bigint()) / 1e9;
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
