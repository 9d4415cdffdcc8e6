import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from '@waggle/running/command';
import { z } from 'zod';
import { check } from '../src/check/check';
import { observation } from '../src/observation';

// It starts PostgreSQL, Redis, a devnet and two instances of the chat.
/** Killed, paused, cut off and not reading. The test of a rolling restart stops instances. */
const faults = [
  'kill-instance',
  'cut-sockets-again',
  'restart-postgres',
  'forget-cursors',
  'pause-instance',
  'kill-redis',
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
  changes: z.object({ confirmed: z.number().min(20), shownMessages: z.number().min(50) }),
  connections: z.object({ resumed: z.number().positive(), refetched: z.number().positive() }),
  failures: z.array(z.never()),
  violations: z.array(z.never()),
});

it('loses, duplicates, reorders and half applies nothing during seven faults', async () => {
  const file = path.join(folder, 'report.json');
  const args = [...size, '--each', faults.join(','), '--out', file, '--observed', observed];
  run = new Command('tools/chaos/dist/main.js', args, {});
  if ((await run.end()) !== 0) throw new Error(run.output);
  expect(run.output).toContain('No violations.');
  const read = report.parse(JSON.parse(readFileSync(file, 'utf8')));
  expect(read.faults.map(({ fault }) => fault)).toEqual(faults.toSorted());
  expect(read.messages.acknowledged).toBe(read.messages.sent);
  // At least two clients receive each message.
  expect(read.messages.receivedByClients).toBeGreaterThan(2 * read.messages.sent);
});

it('would have found a lost message, a lost reaction and an edit that a device missed', () => {
  const seen = observation.parse(JSON.parse(readFileSync(observed, 'utf8')));
  expect(check(seen)).toEqual([]);

  const [reaction = ''] = Object.keys(seen.values).filter((key) => key.startsWith('reaction '));
  expect(check({ ...seen, values: { ...seen.values, [reaction]: 0 } })).toContainEqual(
    expect.objectContaining({ kind: 'value-differs', tag: reaction }),
  );

  const edited = seen.conversations.flatMap(({ messages }) => messages).filter(({ edits }) => edits.length > 0);
  const [device, id, key] = seen.devices.flatMap(({ shown }, index) =>
    Object.entries(shown).flatMap(([conversation, texts]) =>
      edited.flatMap((message) =>
        `text ${message.id}` in texts ? [[index, conversation, `text ${message.id}`] as const] : [],
      ),
    ),
  )[0] ?? [0, '', ''];
  const devices = structuredClone(seen.devices);
  Object.assign(devices[device]?.shown[id] ?? {}, { [key]: 'former text' });
  expect(check({ ...seen, devices })).toMatchObject([{ kind: 'state-differs', conversationId: id, tag: key }]);

  const [first, ...others] = seen.receivers;
  const received = first?.received ?? [];
  const startSeqs = new Map(seen.conversations.map(({ id, startSeq }) => [id, startSeq]));
  // Earlier messages are not checked.
  const lost = received.find(({ conversationId, seq }) => (seq ?? 0) > (startSeqs.get(conversationId) ?? 0));
  const receivers = [{ ...first, received: received.filter((message) => message !== lost) }, ...others];
  expect(check(observation.parse({ ...seen, receivers }))).toMatchObject([{ kind: 'lost', observer: first?.name }]);
});
