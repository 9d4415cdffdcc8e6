import { pause } from '@waggle/running/waiting';
import { AttackerProcess } from './attacker/attacker-process';
import { type Order } from './attacker/protocol';
import { type Attack, type LoadAttack, type RuleAttack } from './attacks/attack';
import { Observation } from './observation';
import { type AttackOutcome, failuresOf, outcomeOfLoad } from './outcome';
import { type Target } from './target/target';

/** How long the honest clients work before they are measured. */
const warmUpMs = 2_000;

/** How long the honest clients are measured before the attack. */
const beforeAttackMs = 20_000;

/** Runs one attack. An attack that cannot be carried out counts as failed. */
export async function runAttack(attack: Attack, target: Target): Promise<AttackOutcome> {
  try {
    // In a new process, memory shows what this attack alone takes.
    for (const name of attack.services) await target.restart(name);
    return attack.kind === 'rule' ? await runRuleAttack(attack, target) : await runLoadAttack(attack, target);
  } catch (error) {
    target.running.signal.throwIfAborted();
    return notCarriedOut(attack, error);
  }
}

export async function runRuleAttack(attack: RuleAttack, target: Target): Promise<AttackOutcome> {
  const { name, summary } = attack;
  const findings = await attack.attempt(target, target.size);
  const outcome = { attack: name, summary, services: [], counts: {}, findings };
  return { ...outcome, failures: failuresOf(outcome, { checksTimes: false }) };
}

export function notCarriedOut({ name, summary }: Attack, error: unknown): AttackOutcome {
  const failure = `was not carried out: ${error instanceof Error ? error.message : String(error)}`;
  return { attack: name, summary, services: [], counts: {}, findings: [], failures: [failure] };
}

async function runLoadAttack(attack: LoadAttack, target: Target): Promise<AttackOutcome> {
  const { name, services } = attack;
  const { size, running } = target;
  const job = await attack.prepare(target, size);
  const observation = await Observation.start(target, services);
  try {
    const { seconds, rate } = size;
    const startsAtMs = Date.now() + warmUpMs + Math.min(beforeAttackMs, seconds * 1_000);
    const order: Order = { sequences: [[{ name, job }]], startsAtMs, seconds, rate, endsWhenLimited: false };
    const attacker = await AttackerProcess.start(running, order);
    // It works in both phases, so that it makes no difference between them.
    const observer = await attack.observe?.(target, job);
    await pause(warmUpMs, running.signal);
    observation.discardResults();
    await pause(startsAtMs - Date.now(), running.signal);
    observation.beginAttack();
    // When the service dies, there is nothing left to attack.
    observation.onDeath(() => void attacker.stop());
    const { [name]: counts = {} } = await attacker.finished();
    const findings = (await observer?.stop()) ?? [];
    const measured = { services: await observation.finish(), counts, findings };
    return outcomeOfLoad(attack, measured, { checksTimes: attack.isDistributed !== true });
  } finally {
    await observation.close();
  }
}
