import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from '@waggle/running/command';
import { z } from 'zod';
import { isLong } from '@waggle/testing/long-form';

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-bench-'));
let run: Command | undefined;
afterEach(async () => {
  await run?.end('SIGTERM');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const measure = z.object({
  what: z.string(),
  readings: z.record(z.string(), z.array(z.number()).nonempty()),
  cpuUs: z.record(z.string(), z.array(z.record(z.string(), z.number())).nonempty()).optional(),
  problem: z.string().optional(),
  comparisons: z.array(z.object({ against: z.string(), isMet: z.boolean() })).nonempty(),
});
type Measures = Record<string, z.infer<typeof measure>>;

const record = z.object({ isQuick: z.literal(true), measures: z.record(z.string(), measure) });

/**
 * Runs a benchmark with `--quick`, which must print every measure and have no problem.
 *
 * @param short the figures of the short form
 * @param long the figures of the long form, by default all
 */
export async function quickRun(
  bench: string,
  short: readonly string[],
  long: readonly string[] = [],
): Promise<Measures> {
  const file = path.join(folder, `${bench}.json`);
  const figures = isLong ? long : short;
  run = new Command(`tools/bench/dist/${bench}/main.js`, ['--quick', '--out', file, ...figures], {});
  if ((await run.end()) !== 0) throw new Error(run.output);
  const { measures } = record.parse(JSON.parse(readFileSync(file, 'utf8')));
  for (const [key, { what, problem }] of Object.entries(measures)) {
    expect(run.output).toContain(what);
    expect([key, problem]).toEqual([key, undefined]);
  }
  return measures;
}

/** Of what is expected of each measure, the part for the measures that the long or the short form has. */
export function ofForm<T>(expected: Record<string, T>, short: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(expected).filter(([key]) => isLong || short.includes(key)));
}

/** Returns the subjects of each measure, including the baselines, in alphabetical order. */
export function subjectsOf(measures: Measures): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(measures).map(([key, { readings }]) => [key, Object.keys(readings).toSorted()]),
  );
}

/** Returns the keys of measures with a reading that is not positive. */
export function notPositive(measures: Measures): string[] {
  return Object.keys(measures).filter((key) =>
    Object.values(measures[key]?.readings ?? {}).some((readings) => readings.some((reading) => !(reading > 0))),
  );
}
