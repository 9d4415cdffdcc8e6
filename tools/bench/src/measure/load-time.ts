import { setTimeout } from 'node:timers/promises';
import { isMetWithin } from '@waggle/running/waiting';
import { cpuSecondsOf } from '@waggle/testing/inspect';

/** Seconds of a monotonic clock. */
export function nowSeconds(): number {
  return Number(process.hrtime.bigint()) / 1e9;
}

/** For the last messages. */
const drainTimeoutMs = 3_000;

/** For the first message. */
const firstTimeoutMs = 5_000;

/** Waits for the last messages. @returns false after a timeout */
export function untilDrained(isDrained: () => boolean): Promise<boolean> {
  return isMetWithin(isDrained, drainTimeoutMs);
}

/** Waits for the first message. @returns false after a timeout */
export function untilStarted(hasStarted: () => boolean): Promise<boolean> {
  return isMetWithin(hasStarted, firstTimeoutMs);
}

interface CountedPeriod {
  warmUpMs: number;
  measuredMs: number;
  /** Process ids by name. Their CPU time and their children's is measured. */
  processes?: Readonly<Record<string, number>> | undefined;
}

/**
 * Measures how fast a count grows, after a warm-up.
 *
 * @returns the growth per second, the share of one core that this process used (`busy`), and the number of cores that
 * each of the named processes used (`cores`; empty if the system does not provide it)
 */
export async function countPerSecond(
  { warmUpMs, measuredMs, processes = {} }: CountedPeriod,
  count: () => number,
): Promise<{ perSecond: number; busy: number; cores: Record<string, number> }> {
  await setTimeout(warmUpMs);
  const [from, cpu, cpuBefore, start] = [count(), process.cpuUsage(), cpuSecondsOfAll(processes), nowSeconds()];
  await setTimeout(measuredMs);
  // In a quick run, a busy machine may not have counted anything yet.
  await untilStarted(() => count() > from);
  const [to, used, cpuAfter, seconds] = [
    count(),
    process.cpuUsage(cpu),
    cpuSecondsOfAll(processes),
    nowSeconds() - start,
  ];
  const cores = Object.entries(cpuAfter).map(([name, after]): [string, number] => [
    name,
    (after - (cpuBefore[name] ?? NaN)) / seconds,
  ]);
  return {
    perSecond: (to - from) / seconds,
    busy: (used.user + used.system) / 1e6 / seconds,
    cores: Object.fromEntries(cores),
  };
}

function cpuSecondsOfAll(processes: Readonly<Record<string, number>>): Record<string, number> {
  const all = Object.entries(processes).flatMap(([name, pid]): [string, number][] => {
    const seconds = cpuSecondsOf(pid);
    return seconds === undefined ? [] : [[name, seconds]];
  });
  return Object.fromEntries(all);
}
