import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { exitOnError } from '@waggle/running/plain-error';
import { findLoadAttack } from '../attacks/all-attacks';
import { type AttackContext, type Counts } from '../traffic/attack-context';
import { order, type Order } from './protocol';

/** How long attacks may take to end after their time is over, in milliseconds. */
const endTimeoutMs = 3_000;

/** How long an attack that ends when it is limited continues after that, and how often its counts are checked. */
const limitedMs = 250;
const checkEveryMs = 50;

/**
 * The attacker's process: reads an order from standard input, attacks, and prints the counts of each attack as a line
 * of JSON.
 */
async function main(): Promise<void> {
  const given = order.parse(JSON.parse(await text(process.stdin)));
  if (!given.endsWhenLimited) lowerPriority();
  const over = new AbortController();
  const counts: Record<string, Counts> = {};
  const report = (): void => {
    process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0));
  };
  const end = (): void => {
    over.abort();
    setTimeout(report, endTimeoutMs);
  };
  process.once('SIGTERM', end);
  await wait(Math.max(0, given.startsAtMs - Date.now()));
  setTimeout(end, given.seconds * 1_000);
  await Promise.all(
    given.sequences.map(async (sequence) => {
      for (const { name, job } of sequence) await run(name, job, given, (counts[name] = {}), over.signal);
    }),
  );
  report();
}

/** Gives way to the service and the honest clients, since attackers of a real service have processors of their own. */
function lowerPriority(): void {
  setPriority(constants.priority.PRIORITY_LOW);
  try {
    // Linux compares the priorities of processes within a session only. This file sets the priority of the session
    // (autogroup in sched(7)).
    writeFileSync('/proc/self/autogroup', String(constants.priority.PRIORITY_LOW));
  } catch {
    // The kernel does not group processes by session.
  }
}

async function run(
  name: string,
  job: unknown,
  { rate, endsWhenLimited }: Order,
  counts: Counts,
  signal: AbortSignal,
): Promise<void> {
  const attack = findLoadAttack(name);
  const limited = new AbortController();
  const context: AttackContext = {
    signal: AbortSignal.any([signal, limited.signal]),
    rate,
    count: (what, by = 1) => {
      counts[what] = (counts[what] ?? 0) + by;
    },
  };
  const running = attack.run(job, context);
  if (endsWhenLimited) {
    const sinceMs = performance.now();
    while (!signal.aborted && !attack.isLimited(counts)) await wait(checkEveryMs);
    context.count('ms until limited', performance.now() - sinceMs);
    await wait(limitedMs);
    limited.abort();
  }
  await running;
}

exitOnError(main());
