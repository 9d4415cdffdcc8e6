import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { explain } from '@waggle/running/plain-error';
import { z } from 'zod';
import { findLoadAttack } from '../attacks/all-attacks';
import { talliesLine } from './tallies-line';

const order = z.object({
  attack: z.string(),
  seconds: z.number().positive().max(86_400),
  rate: z.number().positive().max(1),
  job: z.unknown(),
});

/** How long an attack may take to end after its time is over, in milliseconds. */
const endTimeoutMs = 3_000;

/** The attacker's process: reads an order from the standard input, attacks, and prints what it counted as one line. */
async function main(): Promise<void> {
  const { attack, seconds, rate, job } = order.parse(JSON.parse(await text(process.stdin)));
  // The attackers of a real service have processors of their own.
  setPriority(constants.priority.PRIORITY_LOW);
  const over = new AbortController();
  const tallies: Record<string, number> = {};
  const report = () => {
    process.stdout.write(`${talliesLine(tallies)}\n`, () => process.exit(0));
  };
  const end = () => {
    over.abort();
    setTimeout(report, endTimeoutMs);
  };
  process.once('SIGTERM', end);
  setTimeout(end, seconds * 1_000);
  await findLoadAttack(attack).run(job, {
    signal: over.signal,
    rate,
    count: (what, by = 1) => {
      tallies[what] = (tallies[what] ?? 0) + by;
    },
  });
  report();
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
