import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { compare, type Measure } from './measure';

/** The JSON of a run, as far as it is read again. */
const record = z.object({
  startedAt: z.string(),
  /** Whether it was a quick run, which is not a measurement. */
  isQuick: z.boolean(),
  /** The figures of the benchmark that it did not measure. */
  missing: z.array(z.string()),
  machine: z.object({ cpus: z.number(), model: z.string(), memoryGiB: z.number(), node: z.string() }),
  measures: z.record(
    z.string(),
    z.object({
      what: z.string(),
      unit: z.string(),
      subject: z.string(),
      readings: z.record(z.string(), z.array(z.number())),
      cpuUs: z.record(z.string(), z.array(z.record(z.string(), z.number()))).optional(),
      thresholds: z.array(
        z.object({ against: z.string(), atLeast: z.number().optional(), atMost: z.number().optional() }),
      ),
      problem: z.string().optional(),
    }),
  ),
});
export type BenchRecord = z.infer<typeof record>;

/** Writes the measures as JSON, including the value of each run. */
export function writeRecord(
  file: string,
  measures: readonly Measure[],
  { startedAt, isQuick, missing }: { startedAt: Date; isQuick: boolean; missing: readonly string[] },
): void {
  const written = {
    startedAt: startedAt.toISOString(),
    isQuick,
    missing,
    machine: machine(),
    measures: Object.fromEntries(measures.map((measure) => [measure.key, withComparisons(measure)])),
  };
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(written, undefined, 2)}\n`);
}

/** Reads the JSON of a run. @throws ZodError if it has another format */
export function readRecord(file: string): BenchRecord {
  return record.parse(JSON.parse(readFileSync(file, 'utf8')));
}

function withComparisons(measure: Measure): object {
  const { what, unit, subject, readings, cpuUs, problem, thresholds } = measure;
  const comparisons = compare(measure).map(({ against, value, baseline, ratio, isMet }) => ({
    against,
    value,
    baseline,
    ratio,
    isMet,
  }));
  return { what, unit, subject, readings, cpuUs, problem, thresholds, comparisons };
}

function machine(): BenchRecord['machine'] {
  const all = cpus();
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  return { cpus: all.length, model: all[0]?.model ?? 'unknown', memoryGiB, node: process.versions.node };
}
