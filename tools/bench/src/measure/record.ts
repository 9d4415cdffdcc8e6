import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { compare, type Measure } from './measure';

/** Writes the measures as JSON, including the value of each run. A quick run is not a measurement. */
export function writeRecord(
  file: string,
  measures: readonly Measure[],
  { startedAt, isQuick }: { startedAt: Date; isQuick: boolean },
): void {
  const written = {
    startedAt: startedAt.toISOString(),
    isQuick,
    machine: machine(),
    measures: Object.fromEntries(
      measures.map((measure) => [measure.key, { ...measure, comparisons: comparisonsOf(measure) }]),
    ),
  };
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(written, undefined, 2)}\n`);
}

function comparisonsOf(measure: Measure): object[] {
  return compare(measure).map(({ against, value, baseline, ratio, isMet }) => ({
    against,
    value,
    baseline,
    ratio,
    isMet,
  }));
}

function machine(): object {
  const all = cpus();
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  return { cpus: all.length, model: all[0]?.model ?? 'unknown', memoryGiB, node: process.versions.node };
}
