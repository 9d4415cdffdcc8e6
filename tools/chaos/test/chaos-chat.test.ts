import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from '@waggle/running';
import { findProcess, processesUnder, until } from '@waggle/testing';
import { z } from 'zod';
import { check } from '../src/check/check';
import { type Hearing, observation } from '../src/observation';
import { type Sabotage, Saboteur } from '../src/sabotage';

// PostgreSQL, Redis, a devnet and three instances of the chat start, and two of these again: 60 to 80 s were seen on two
// cores with seven times as much to do.
jest.setTimeout(180_000);

/** One of each way to be away: gone, ended in good order, frozen, cut off, not reading. */
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
const size = ['--quick', '--clients', '12', '--rate', '60', '--seed', '4'];

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-chaos-'));
const observed = path.join(folder, 'observed.json');
let started: Command | undefined;

function chaos(...args: string[]): Command {
  started = new Command('tools/chaos/dist/main.js', args, {}, true);
  return started;
}

afterEach(async () => {
  await started?.end('SIGTERM');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const report = z.object({
  faults: z.array(z.object({ fault: z.string(), count: z.literal(1), whole: z.object({ never: z.literal(0) }) })),
  messages: z.object({
    sent: z.number().min(300),
    acknowledged: z.number(),
    refused: z.literal(0),
    delivered: z.number(),
    deliveredRaw: z.number().positive(),
  }),
  connections: z.object({ resumed: z.number().positive(), refetched: z.number().positive() }),
  failures: z.array(z.never()),
  violations: z.array(z.never()),
});

it('loses, doubles and disorders nothing, whatever is struck', async () => {
  const file = path.join(folder, 'report.json');
  const run = chaos(...size, '--each', faults.join(','), '--out', file, '--observed', observed);
  expect({ code: await run.end(), output: run.output }).toMatchObject({ code: 0 });
  expect(run.output).toContain('No violations.');
  const read = report.parse(JSON.parse(readFileSync(file, 'utf8')));
  expect(read.faults.map(({ fault }) => fault)).toEqual(faults.toSorted());
  expect(read.messages.acknowledged).toBe(read.messages.sent);
  // Each message is heard by two clients at least.
  expect(read.messages.delivered).toBeGreaterThan(2 * read.messages.sent);
});

it.each<[Sabotage, string]>([
  ['drop', 'lost'],
  ['double', 'doubled'],
  ['swap', 'out-of-order'],
])('would have found that one event was spoilt: %s', (sabotage, kind) => {
  const seen = observation.parse(JSON.parse(readFileSync(observed, 'utf8')));
  expect(check(seen)).toEqual([]);
  const [spoilt, ...others] = seen.hearings;
  if (spoilt === undefined) throw new Error('nobody heard anything');
  const watchedAfter = new Map(seen.conversations.map(({ id, afterSeq }) => [id, afterSeq]));
  const saboteur = new Saboteur(sabotage, watchedAfter);
  const hearing: Hearing = { ...spoilt, heard: spoilt.heard.flatMap((message) => saboteur.pass(message)) };
  expect(check({ ...seen, hearings: [hearing, ...others] })).toMatchObject([{ kind, who: spoilt.who }]);
});

it('leaves nothing behind at one Ctrl-C in the midst of it', async () => {
  // Longer than it takes to notice the line on a busy machine.
  const run = chaos(...size, '--minutes', '1', '--out', path.join(folder, 'stopped.json'));
  await run.line('messages a second.');
  const children = processesUnder(run.pid);
  run.interrupt();
  expect(await run.end()).toBe(1);
  expect(run.output).toMatch(/^Stopped\.$/m);
  await until(() => children.every((pid) => findProcess(pid) === undefined));
});
