import { type LoadAttack, type Observer } from './attack';
import { AttackerProcess } from './attacker/attacker-process';
import { pause } from './attacker/pause';
import { type Tallies } from './attacker/tallies-line';
import { loadAttacks } from './attacks/all-attacks';
import { Observation } from './observation';
import { type AttackOutcome, faultsOf } from './outcome';
import { serviceNames } from './target/services';
import { type Target } from './target/target';

/** The first bursts of the attackers come one after another. */
const startEveryMs = 1_000;

/** Distributed attacks would leave nothing of two processors to the others. */
const soakAttacks = loadAttacks.filter(({ isDistributed }) => isDistributed !== true);

/** Runs all attacks of single clients by load at once on all services, with an honest client beside each service. */
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
    observation.beginAttack();
    const observers: Observer[] = [];
    for (const { attack, job } of prepared) {
      const observer = await attack.observe?.(target, job);
      if (observer !== undefined) observers.push(observer);
    }
    const attackers: AttackerProcess[] = [];
    for (const { attack, job } of prepared) {
      const order = { attack: attack.name, seconds: size.seconds, rate: size.rate, job };
      attackers.push(await AttackerProcess.start(running, order));
      await pause(startEveryMs, running.signal);
    }
    const tallies = sumOf(await Promise.all(attackers.map((attacker) => attacker.finished())));
    const findings = (await Promise.all(observers.map((observer) => observer.stop()))).flat();
    const summary = `${soakAttacks.length} attacks at once for ${(size.seconds / 60).toFixed(1)} minutes`;
    const outcome = { attack: 'soak', summary, services: await observation.finish(), tallies, findings };
    return { ...outcome, faults: faultsOf(outcome, { judgesTimes: false }) };
  } finally {
    await observation.close();
  }
}

function sumOf(all: readonly Tallies[]): Tallies {
  const sum: Tallies = {};
  for (const [what, count] of all.flatMap((tallies) => Object.entries(tallies))) sum[what] = (sum[what] ?? 0) + count;
  return sum;
}
