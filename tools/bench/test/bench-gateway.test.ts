import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from '@waggle/running/command';
import { z } from 'zod';

// It starts PostgreSQL, nodes, gateways, indexers, a chain and the baselines.
jest.setTimeout(180_000);

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-bench-gateway-'));
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
      problem: z.undefined().optional(),
      comparisons: z.array(z.object({ against: z.string() })).nonempty(),
    }),
  ),
});

/** The subjects of each figure, including the baselines. */
const expected: Readonly<Record<string, readonly string[]>> = {
  cached: ['bare Fastify', 'gateway'],
  proxied: ['bare Fastify', 'gateway'],
  notifications: ['bare Fastify', 'gateway'],
  'catch-up': ['fetch and parse', 'indexer'],
  'catch-up-memory': ['last third', 'second third'],
  'slow-nodes-1': ['1 node', 'a fast node'],
  'event-memory': ['bare Node', 'gateway'],
  'event-delay-p50': ['gateway', 'poll interval'],
  'event-delay-p99': ['gateway', 'poll interval'],
};

it('measures every figure of the gateway and of its baselines', async () => {
  const file = path.join(folder, 'gateway.json');
  run = new Command('tools/bench/dist/gateway/main.js', ['--quick', '--out', file], {}, true);
  expect({ code: await run.end(), output: run.output }).toMatchObject({ code: 0 });
  const { measures } = record.parse(JSON.parse(readFileSync(file, 'utf8')));
  expect(Object.keys(measures).toSorted()).toEqual(Object.keys(expected).toSorted());
  for (const [key, subjects] of Object.entries(expected)) {
    const { what, readings = {} } = measures[key] ?? {};
    expect(run.output).toContain(what);
    // nginx is measured only if it is installed.
    const measured = Object.keys(readings).filter((subject) => subject !== 'nginx');
    expect([key, measured.toSorted()]).toEqual([key, subjects]);
    // The memory of a few streams is within the noise, and a third of a short chain may pass between two samples.
    if (key === 'event-memory' || key === 'catch-up-memory') continue;
    const values = Object.values(readings).flat();
    expect([key, values.filter((value) => !(value > 0))]).toEqual([key, []]);
  }
});
