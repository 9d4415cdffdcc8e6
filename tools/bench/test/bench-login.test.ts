import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from '@waggle/running/command';
import { z } from 'zod';

// It starts PostgreSQL, Redis, a devnet and the service.
jest.setTimeout(120_000);

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-bench-login-'));
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
  comparisons: z.array(z.object({ against: z.string(), isMet: z.boolean() })).nonempty(),
});
const record = z.object({
  isQuick: z.literal(true),
  measures: z.object({ rate: measured, lookups: measured }),
});

it('measures the service and its baseline, and counts calls to the chain', async () => {
  const file = path.join(folder, 'login.json');
  run = new Command('tools/bench/dist/login/main.js', ['--quick', '--out', file], {}, true);
  expect({ code: await run.end(), output: run.output }).toMatchObject({ code: 0 });
  const { rate, lookups } = record.parse(JSON.parse(readFileSync(file, 'utf8'))).measures;
  expect(Object.keys(rate.readings).toSorted()).toEqual(['bare route', 'service']);
  expect([rate.problem, lookups.problem]).toEqual([undefined, undefined]);
  // Does not depend on the load of the machine.
  expect(lookups.readings).toMatchObject({ lookups: [1] });
  expect(lookups.comparisons).toMatchObject([{ isMet: true }]);
});
