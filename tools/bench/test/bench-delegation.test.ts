import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from '@waggle/running/command';
import { z } from 'zod';

// It starts PostgreSQL, the API and the indexer, a chain and a baseline.
jest.setTimeout(180_000);

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-bench-delegation-'));
let started: Command | undefined;

function bench(...args: string[]): Command {
  started = new Command('tools/bench/dist/delegation/main.js', args, {}, true);
  return started;
}

afterEach(async () => {
  await started?.end('SIGTERM');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const record = z.object({
  isQuick: z.literal(true),
  measures: z.record(
    z.string(),
    z.object({
      what: z.string(),
      readings: z.record(z.string(), z.array(z.number().positive()).nonempty()),
      problem: z.undefined().optional(),
      comparisons: z.array(z.object({ against: z.string() })).nonempty(),
    }),
  ),
});

/** `bench-gateway.test.ts` measures those that the two benchmarks share: `catch-up` and `slow-nodes`. */
const figures = ['endpoints', 'memory'];

/** The subjects of each figure, including the baselines. */
const apiSubjects = ['bare Fastify', 'delegation'];
const expected = {
  account: apiSubjects,
  in: apiSubjects,
  out: apiSubjects,
  'history-in': apiSubjects,
  'history-out': apiSubjects,
  memory: ['after', 'before'],
};

it('measures the figures of the service and of its baselines', async () => {
  const file = path.join(folder, 'delegation.json');
  const run = bench('--quick', '--out', file, ...figures);
  expect({ code: await run.end(), output: run.output }).toMatchObject({ code: 0 });
  const { measures } = record.parse(JSON.parse(readFileSync(file, 'utf8')));
  expect(Object.keys(measures).toSorted()).toEqual(Object.keys(expected).toSorted());
  for (const [key, subjects] of Object.entries(expected)) {
    expect(run.output).toContain(measures[key]?.what);
    expect([key, Object.keys(measures[key]?.readings ?? {}).toSorted()]).toEqual([key, subjects]);
  }
});
