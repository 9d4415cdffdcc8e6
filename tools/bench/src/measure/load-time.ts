import { setTimeout } from 'node:timers/promises';
import { cpuSecondsOf } from '@waggle/testing';

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

interface CountedPeriod {
  warmUpMs: number;
  measuredMs: number;
  /** Process ids by name: the servers whose CPU time is measured, each with its children. */
  processes?: Readonly<Record<string, number>> | undefined;
}

/**
 * Counts for a while, once it is warm.
 *
 * @returns by how much the count grew in a second, the share of one core that this process took meanwhile (`busy`), and the
 *   number of cores that each of the named processes took (`cores`; empty if the system does not tell)
 */
export async function countPerSecond(
  { warmUpMs, measuredMs, processes = {} }: CountedPeriod,
  count: () => number,
): Promise<{ perSecond: number; busy: number; cores: Record<string, number> }> {
  await setTimeout(warmUpMs);
  const [from, cpu, cpuBefore, start] = [count(), process.cpuUsage(), cpuSecondsOfAll(processes), nowSeconds()];
  await setTimeout(measuredMs);
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
