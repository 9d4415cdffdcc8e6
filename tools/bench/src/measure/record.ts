import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { compare, type Measure } from './measure';

/** How and when a bench was run. */
export interface Circumstances {
  startedAt: Date;
  /** One short run of each: shows that the bench works, and says nothing about speed. */
  isQuick: boolean;
}

/** Writes everything that was measured as JSON, each run's value included. */
export function writeRecord(file: string, measures: readonly Measure[], circumstances: Circumstances): void {
  const record = {
    startedAt: circumstances.startedAt.toISOString(),
    isQuick: circumstances.isQuick,
    machine: machine(),
    measures: Object.fromEntries(measures.map((measure) => [measure.key, recordOf(measure)])),
  };
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(record, undefined, 2)}\n`);
}

function recordOf(measure: Measure): object {
  const { what, unit, subject, readings, cpuUs, problem } = measure;
  const comparisons = compare(measure).map(({ against, atLeast, atMost, value, baseline, ratio, isMet }) => ({
    ...{ against, value, baseline, ratio, atLeast, atMost, isMet },
  }));
  return { what, unit, subject, readings, cpuUs, problem, comparisons };
}

function machine(): object {
  const all = cpus();
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  return { cpus: all.length, model: all[0]?.model ?? 'unknown', memoryGiB, node: process.versions.node };
}
