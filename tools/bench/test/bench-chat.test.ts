import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from '@waggle/running/command';
import { z } from 'zod';

// It starts PostgreSQL, Redis, a devnet, two instances of the chat and the baselines: 20 to 40 s on two busy cores.
jest.setTimeout(120_000);

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-bench-'));
let run: Command | undefined;
afterEach(async () => {
  await run?.end('SIGTERM');
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
      readings: z.record(z.string(), z.array(z.number()).nonempty()),
      cpuUs: z.record(z.string(), z.array(z.record(z.string(), z.number())).nonempty()).optional(),
      problem: z.string().optional(),
      comparisons: z.array(z.object({ against: z.string(), isMet: z.boolean() })).nonempty(),
    }),
  ),
});

/** The subjects of each figure, including the baselines. */
const expected: Readonly<Record<string, readonly string[]>> = {
  direct: ['chat', 'chat-extended', 'group-commit', 'insert-each', 'relay'],
  'direct-extended': ['chat', 'chat-extended', 'group-commit', 'insert-each', 'relay'],
  'two-instances': ['two instances', 'one instance'],
  'latency-p50': ['chat', 'insert-each'],
  'latency-p99': ['chat', 'insert-each'],
  group: ['chat', 'group-commit', 'send-each'],
  memory: ['chat', 'relay'],
  history: ['chat', 'short'],
};

it('measures every figure of the chat and of its baselines', async () => {
  const file = path.join(folder, 'chat.json');
  run = new Command('tools/bench/dist/chat/main.js', ['--quick', '--out', file], {}, true);
  expect({ code: await run.end(), output: run.output }).toMatchObject({ code: 0 });
  const { measures } = record.parse(JSON.parse(readFileSync(file, 'utf8')));
  expect(Object.keys(measures).toSorted()).toEqual(Object.keys(expected).toSorted());
  for (const [key, subjects] of Object.entries(expected)) {
    const measure = measures[key];
    expect(run.output).toContain(measure?.what);
    expect([key, Object.keys(measure?.readings ?? {}).toSorted()]).toEqual([key, subjects.toSorted()]);
    expect([key, measure?.problem]).toEqual([key, undefined]);
    // The memory of a few sockets is within the noise.
    if (key === 'memory') continue;
    const readings = Object.values(measure?.readings ?? {}).flat();
    expect([key, readings.filter((reading) => !(reading > 0))]).toEqual([key, []]);
  }
  for (const key of ['direct', 'direct-extended', 'group']) {
    const { cpuUs = {} } = measures[key] ?? {};
    expect([key, Object.keys(cpuUs).toSorted()]).toEqual([key, expected[key]?.toSorted()]);
    const processes = Object.values(cpuUs).flat();
    expect(processes.filter(({ server = 0, PostgreSQL = NaN }) => !(server > 0 && PostgreSQL >= 0))).toEqual([]);
  }
});
