import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from '@waggle/running';
import { z } from 'zod';

// It starts PostgreSQL, a node, the gateway and the baselines.
jest.setTimeout(120_000);

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-bench-gateway-'));
let run: Command | undefined;
afterEach(async () => {
  await run?.end('SIGTERM');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const measured = z.object({
  readings: z.record(z.string(), z.array(z.number().positive()).nonempty()),
  problem: z.string().optional(),
  comparisons: z.array(z.object({ against: z.string() })).nonempty(),
});
const record = z.object({
  isQuick: z.literal(true),
  measures: z.object({ cached: measured, proxied: measured, notifications: measured }),
});

it('measures each kind of read and its baseline', async () => {
  const file = path.join(folder, 'gateway.json');
  run = new Command(
    'tools/bench/dist/gateway/main.js',
    ['--quick', 'cached', 'proxied', 'notifications', '--out', file],
    {},
    true,
  );
  expect({ code: await run.end(), output: run.output }).toMatchObject({ code: 0 });
  for (const measure of Object.values(record.parse(JSON.parse(readFileSync(file, 'utf8'))).measures)) {
    expect(Object.keys(measure.readings)).toEqual(expect.arrayContaining(['gateway', 'bare Fastify']));
    expect(measure.problem).toBeUndefined();
  }
});
