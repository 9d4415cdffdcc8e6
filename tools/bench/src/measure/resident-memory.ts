import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type OwnProcess, repositoryFolder } from '@waggle/running';
import { residentBytes } from '@waggle/testing';
import { numberText } from './table';

const pollIntervalMs = 250;
const settleTimeoutMs = 15_000;

/** Memory is stable when this many samples in a row differ by less than this share. */
const stableSamples = 4;
const stableShare = 0.005;

const collectTimeoutMs = 20_000;

/**
 * Connections opened and closed before the measurement, so that code that is loaded and compiled once does not count.
 */
const warmUpConnections = 200;

/** With these arguments of Node, the memory of a server can be measured. */
export const measurableArguments: readonly string[] = [
  '--expose-gc',
  '--require',
  path.join(repositoryFolder, 'tools/bench/dist/measure/collect-garbage.js'),
];

export interface MemoryOptions {
  /** Started with `measurableArguments`. */
  server: OwnProcess;
  /** Whether other figures use the server too: it is warm already, and is not ended. */
  isShared?: boolean;
  connections: number;
  /** Opens connections to the server, which last until the returned process is discarded. */
  open: (count: number) => Promise<OwnProcess>;
  print: (line: string) => void;
}

/** Measures the resident memory per idle connection, in bytes. */
export async function memoryPerConnection({
  server,
  isShared = false,
  connections,
  open,
  print,
}: MemoryOptions): Promise<number> {
  if (!isShared) await (await open(Math.min(warmUpConnections, connections))).discard();
  const before = await stableMemory(server);
  const load = await open(connections);
  const after = await stableMemory(server);
  await load.discard();
  if (!isShared) await server.discard();
  const bytes = (after - before) / connections;
  const mib = (value: number) => `${Math.round(value / 2 ** 20)} MiB`;
  print(`${numberText(bytes / 1024)} KiB per connection (${mib(before)}, then ${mib(after)})`);
  return bytes;
}

/** Collects garbage and returns the resident memory in bytes once it is stable. */
export async function stableMemory(server: OwnProcess): Promise<number> {
  server.collectGarbage();
  // Printed by `collect-garbage.ts`.
  await server.line('garbage collected', collectTimeoutMs);
  const samples: number[] = [];
  const deadline = Date.now() + settleTimeoutMs;
  while (Date.now() < deadline) {
    samples.push(residentBytes(server.pid));
    const last = samples.slice(-stableSamples);
    const [min, max] = [Math.min(...last), Math.max(...last)];
    if (last.length === stableSamples && max - min <= min * stableShare) return max;
    await setTimeout(pollIntervalMs);
  }
  throw new Error('the memory of the server does not become stable');
}
