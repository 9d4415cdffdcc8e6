import { parseArgs } from 'node:util';
import { exitOnError, PlainError, withUsage } from '@waggle/running';
import { type ConversationKind, costOf } from './fan-out';

const sizes = [1, 2, 3, 5, 10, 20, 50, 100, 500];

/** Dms with both members connected, groups with eight, and channels with fifty. */
const kinds: readonly ConversationKind[] = [
  { connected: 2, share: 0.6 },
  { connected: 8, share: 0.3 },
  { connected: 50, share: 0.1 },
];

function main() {
  const { rate, batch } = readOptions();
  const rows = sizes.map((instances) => {
    const load = { instances, messagesPerSecond: rate, messagesPerCommit: batch };
    const { carried, frames, commitsRead } = costOf(kinds, load);
    return [instances, carried, carried / instances, frames / instances, commitsRead].map((value) =>
      Math.round(value).toLocaleString('en'),
    );
  });
  const head = ['instances', 'Redis carries', 'each receives', 'each sends', 'commits read'];
  process.stdout.write(
    `${rate.toLocaleString('en')} messages per second, ${batch} per commit: 60 % to two connected members, 30 % to eight, 10 % to fifty. Per second:\n\n`,
  );
  for (const row of [head, ...rows]) process.stdout.write(`${row.map((cell) => cell.padStart(15)).join('')}\n`);
}

function readOptions(): { rate: number; batch: number } {
  return withUsage('\nnpm run simulate:fan-out -- [--rate 1000] [--batch 2]', () => {
    const { values } = parseArgs({
      options: { rate: { type: 'string', default: '1000' }, batch: { type: 'string', default: '2' } },
    });
    const [rate, batch] = [values.rate, values.batch].map(Number);
    if (rate === undefined || batch === undefined || !(rate > 0) || !(batch >= 1))
      throw new PlainError('the rate must be more than 0, the batch at least 1');
    return { rate, batch };
  });
}

exitOnError(Promise.resolve().then(main));
