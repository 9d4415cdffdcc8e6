import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from '@waggle/running/command';
import { z } from 'zod';
import { check } from '../src/check/check';
import { observation } from '../src/observation';

// It starts PostgreSQL, Redis, a devnet and two instances of the chat.
/** Killed, stopped, paused, cut off and not reading. */
const faults = [
  'kill-instance',
  'pause-redis',
  'cut-sockets-again',
  'restart-postgres',
  'forget-cursors',
  'pause-instance',
  'cut-postgres',
  'kill-redis',
  'drain-instance',
  'slow-readers',
];
const size = ['--quick', '--clients', '8', '--rate', '30', '--seed', '4'];

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-chaos-'));
const observed = path.join(folder, 'observed.json');
let run: Command | undefined;

afterEach(async () => {
  await run?.end('SIGTERM');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const report = z.object({
  faults: z.array(
    z.object({ fault: z.string(), count: z.literal(1), recovered: z.object({ timedOut: z.literal(0) }) }),
  ),
  messages: z.object({
    sent: z.number().min(150),
    acknowledged: z.number(),
    rejected: z.literal(0),
    receivedByClients: z.number(),
    receivedRaw: z.number().positive(),
  }),
  connections: z.object({ resumed: z.number().positive(), refetched: z.number().positive() }),
  failures: z.array(z.never()),
  violations: z.array(z.never()),
});

it('loses, duplicates and reorders nothing during ten faults', async () => {
  const file = path.join(folder, 'report.json');
  const args = [...size, '--each', faults.join(','), '--out', file, '--observed', observed];
  run = new Command('tools/chaos/dist/main.js', args, {});
  expect({ code: await run.end(), output: run.output }).toMatchObject({ code: 0 });
  expect(run.output).toContain('No violations.');
  const read = report.parse(JSON.parse(readFileSync(file, 'utf8')));
  expect(read.faults.map(({ fault }) => fault)).toEqual(faults.toSorted());
  expect(read.messages.acknowledged).toBe(read.messages.sent);
  // At least two clients receive each message.
  expect(read.messages.receivedByClients).toBeGreaterThan(2 * read.messages.sent);
});

it('would have found a lost message', () => {
  const seen = observation.parse(JSON.parse(readFileSync(observed, 'utf8')));
  expect(check(seen)).toEqual([]);
  const [first, ...others] = seen.receivers;
  const received = first?.received ?? [];
  const startSeqs = new Map(seen.conversations.map(({ id, startSeq }) => [id, startSeq]));
  // Earlier messages are not checked.
  const lost = received.find(({ conversationId, seq }) => (seq ?? 0) > (startSeqs.get(conversationId) ?? 0));
  const receivers = [{ ...first, received: received.filter((message) => message !== lost) }, ...others];
  expect(check(observation.parse({ ...seen, receivers }))).toMatchObject([{ kind: 'lost', observer: first?.name }]);
});
