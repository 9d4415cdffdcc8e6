import { AttackerProcess } from './attacker/attacker-process';
import { type Attack, type LoadAttack, type Observer, type RuleAttack } from './attacks/attack';
import { Observation } from './observation';
import { type AttackOutcome, failuresOf, outcomeOfLoad } from './outcome';
import { notCarriedOut, runRuleAttack } from './run-attack';
import { serviceNames } from './target/services';
import { type Target } from './target/target';

/**
 * Runs attacks in a short form, on services that are started once: attacks by load on different services side by side,
 * and attacks on rules meanwhile. An attack by load ends when the service limits it; one that is not limited within
 * `--seconds` fails. Latencies are not checked.
 *
 * @returns the outcome of each attack, and of the services
 */
export async function runShortForms(attacks: readonly Attack[], target: Target): Promise<AttackOutcome[]> {
  const services = serviceNames.filter((name) => attacks.some((attack) => attack.services.includes(name)));
  await Promise.all(services.map((name) => target.restart(name)));
  const loadAttacks = attacks.filter((attack): attack is LoadAttack => attack.kind === 'load');
  const ruleAttacks = attacks.filter((attack): attack is RuleAttack => attack.kind === 'rule');
  const prepared = await Promise.all(
    loadAttacks.map(async (attack) => ({ attack, job: await attack.prepare(target, target.size) })),
  );
  const observation = await Observation.start(target, services);
  try {
    observation.beginAttack();
    const [loads, rules] = await Promise.all([
      runLoads(prepared, target, observation),
      Promise.all(
        ruleAttacks.map((attack) =>
          runRuleAttack(attack, target).catch((error: unknown) => notCarriedOut(attack, error)),
        ),
      ),
    ]);
    const outcome = {
      attack: 'all',
      summary: `${attacks.length} attacks at once`,
      services: await observation.finish(),
      counts: {},
      findings: [],
    };
    return [...loads, ...rules, { ...outcome, failures: failuresOf(outcome, { checksTimes: false }) }];
  } finally {
    await observation.close();
  }
}

async function runLoads(
  prepared: readonly { attack: LoadAttack; job: unknown }[],
  target: Target,
  observation: Observation,
): Promise<AttackOutcome[]> {
  const observers: (Observer | undefined)[] = [];
  for (const { attack, job } of prepared) observers.push(await attack.observe?.(target, job));
  const {
    running,
    size: { seconds, rate },
  } = target;
  const attacker = await AttackerProcess.start(running, {
    sequences: serviceNames.map((service) =>
      prepared
        .filter(({ attack }) => attack.services[0] === service)
        .map(({ attack: { name }, job }) => ({ name, job })),
    ),
    startsAtMs: Date.now(),
    seconds,
    rate,
    endsWhenLimited: true,
  });
  observation.onDeath(() => void attacker.stop());
  const counts = await attacker.finished();
  return await Promise.all(
    prepared.map(async ({ attack }, index) => {
      const findings = (await observers[index]?.stop()) ?? [];
      return outcomeOfLoad(
        attack,
        { services: [], counts: counts[attack.name] ?? {}, findings },
        { checksTimes: false },
      );
    }),
  );
}
