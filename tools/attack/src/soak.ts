import { pause } from '@waggle/running/waiting';
import { type LoadAttack, type Observer } from './attacks/attack';
import { AttackerProcess } from './attacker/attacker-process';
import { type Order } from './attacker/protocol';
import { type Counts } from './traffic/attack-context';
import { loadAttacks } from './attacks/all-attacks';
import { Observation } from './observation';
import { type AttackOutcome, failuresOf } from './outcome';
import { serviceNames } from './target/services';
import { type Target } from './target/target';

/**
 * How long the code of one attacker's process takes to load at most, on a busy machine. All are loaded before the
 * measurement.
 */
const loadMs = 2_000;

/** Attacks begin one after another, so that their first bursts do not coincide. */
const beginEveryMs = 1_000;

/** Distributed attacks alone would occupy two processors. */
const soakAttacks = loadAttacks.filter(({ isDistributed }) => isDistributed !== true);

/** Runs all attacks of single clients by load at once on all services, with an honest client for each service. */
export async function runSoak(target: Target): Promise<AttackOutcome> {
  const { size, running } = target;
  for (const name of serviceNames) await target.restart(name);
  const prepared: { attack: LoadAttack; job: unknown }[] = [];
  for (const attack of soakAttacks) {
    running.signal.throwIfAborted();
    prepared.push({ attack, job: await attack.prepare(target, size) });
  }
  const observation = await Observation.start(target, serviceNames);
  try {
    const { seconds, rate } = size;
    const firstStartsAtMs = Date.now() + prepared.length * loadMs;
    const attackers: AttackerProcess[] = [];
    for (const [index, { attack, job }] of prepared.entries()) {
      const sequences = [[{ name: attack.name, job }]];
      const startsAtMs = firstStartsAtMs + index * beginEveryMs;
      const order: Order = { sequences, startsAtMs, seconds, rate, endsWhenLimited: false };
      attackers.push(await AttackerProcess.start(running, order));
    }
    const observers: Observer[] = [];
    for (const { attack, job } of prepared) {
      const observer = await attack.observe?.(target, job);
      if (observer !== undefined) observers.push(observer);
    }
    await pause(firstStartsAtMs - Date.now(), running.signal);
    observation.discardResults();
    observation.beginAttack();
    const all = await Promise.all(attackers.map((attacker) => attacker.finished()));
    const counts = sumOf(all.flatMap((byAttack) => Object.values(byAttack)));
    const findings = (await Promise.all(observers.map((observer) => observer.stop()))).flat();
    const summary = `${soakAttacks.length} attacks at once for ${(size.seconds / 60).toFixed(1)} minutes`;
    const outcome = { attack: 'soak', summary, services: await observation.finish(), counts, findings };
    return { ...outcome, failures: failuresOf(outcome, { checksTimes: false }) };
  } finally {
    await observation.close();
  }
}

function sumOf(all: readonly Counts[]): Counts {
  const sum: Counts = {};
  for (const [what, count] of all.flatMap((counts) => Object.entries(counts))) sum[what] = (sum[what] ?? 0) + count;
  return sum;
}
