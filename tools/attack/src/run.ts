import { type Attack, type LoadAttack, type RuleAttack } from './attack';
import { AttackerProcess } from './attacker/attacker-process';
import { pause } from './attacker/pause';
import { Observation } from './observation';
import { type AttackOutcome, faultsOf } from './outcome';
import { type Target } from './target/target';

/** How long the honest clients work before they are measured. */
const warmUpMs = { quick: 300, full: 2_000 };
/** How long they are measured without the attack in a short run; otherwise as long as with it. */
const quickBaselineMs = 500;

/** Runs one attack and judges it; that it cannot be run to its end is a fault too. */
export async function runAttack(attack: Attack, target: Target): Promise<AttackOutcome> {
  try {
    await startServices(attack, target);
    return attack.kind === 'rule' ? await runRuleAttack(attack, target) : await runLoadAttack(attack, target);
  } catch (error) {
    target.running.signal.throwIfAborted();
    const { name, summary } = attack;
    const fault = `did not run to its end: ${error instanceof Error ? error.message : String(error)}`;
    return { attack: name, summary, services: [], tallies: {}, findings: [], faults: [fault] };
  }
}

async function startServices({ services }: Attack, target: Target): Promise<void> {
  const { isQuick } = target.size;
  // A fresh process says what this attack alone takes; in a short run there is no time for it.
  for (const name of services) {
    if (isQuick && (await target.isLive(name))) continue;
    await target.restart(name);
  }
}

async function runRuleAttack(attack: RuleAttack, target: Target): Promise<AttackOutcome> {
  const findings = await attack.attempt(target, target.size);
  const outcome = { attack: attack.name, summary: attack.summary, services: [], tallies: {}, findings };
  return { ...outcome, faults: faultsOf(outcome, { judgesTimes: false }) };
}

async function runLoadAttack(attack: LoadAttack, target: Target): Promise<AttackOutcome> {
  const { name, summary, services } = attack;
  const { size, running } = target;
  const job = await attack.prepare(target, size);
  const observation = await Observation.start(target, services);
  try {
    await pause(size.isQuick ? warmUpMs.quick : warmUpMs.full, running.signal);
    observation.warmedUp();
    await pause(size.isQuick ? quickBaselineMs : size.seconds * 1_000, running.signal);
    observation.beginAttack();
    const observer = await attack.observe?.(target, job);
    const attacker = await AttackerProcess.start(running, {
      attack: name,
      seconds: size.seconds,
      rate: size.rate,
      job,
    });
    // What has died has nothing left to attack.
    observation.onDeath(() => void attacker.stop());
    const tallies = await attacker.finished();
    const findings = (await observer?.stop()) ?? [];
    const outcome = { attack: name, summary, services: await observation.finish(), tallies, findings };
    return { ...outcome, faults: faultsOf(outcome, { judgesTimes: !size.isQuick && attack.isDistributed !== true }) };
  } finally {
    await observation.close();
  }
}
