import { runAndEnd, type Running } from '@waggle/running';
import { allAttacks, findAttack } from './attacks/all-attacks';
import { readOptions } from './options';
import { type AttackOutcome } from './outcome';
import { reportText } from './report';
import { runAttack } from './run';
import { runSoak } from './soak';
import { Target } from './target/target';

/** How long the attacker of one attack goes on, in seconds. */
const attackSeconds = { quick: 3, full: 20 };

/**
 * A share of the allowed rate: at the full rate all attackers together would measure how much two processors can do, not what
 * one client can.
 */
const soakRate = 0.1;

/** @returns the exit code: 0 when every attack was held off */
async function main(running: Running): Promise<number> {
  const options = readOptions(
    process.argv.slice(2),
    allAttacks.map(({ name }) => name),
  );
  const { names, soakMinutes, isQuick, isJson, heapMebibytes, checkout } = options;
  const seconds =
    soakMinutes === undefined
      ? (options.seconds ?? (isQuick ? attackSeconds.quick : attackSeconds.full))
      : soakMinutes * 60;
  const rate = options.rate ?? (soakMinutes === undefined ? 1 : soakRate);
  // The report alone goes to the standard output.
  const say = (line: string) => process.stderr.write(`${line}\n`);
  say('Starting PostgreSQL, Redis and a devnet.');
  const target = await Target.start(running, { checkout, heapMebibytes, size: { isQuick, seconds, rate } });
  const outcomes: AttackOutcome[] = [];
  if (soakMinutes === undefined) {
    for (const name of names) {
      running.signal.throwIfAborted();
      const attack = findAttack(name);
      const sinceMs = performance.now();
      const outcome = await runAttack(attack, target);
      outcomes.push(outcome);
      const result = outcome.faults.length === 0 ? 'pass' : 'FAIL';
      say(`${name}: ${result}, ${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`);
    }
  } else {
    say(`All attacks by load at once for ${soakMinutes} minutes.`);
    outcomes.push(await runSoak(target));
  }
  process.stdout.write(`${isJson ? JSON.stringify(outcomes, undefined, 2) : reportText(outcomes)}\n`);
  return outcomes.every(({ faults }) => faults.length === 0) ? 0 : 1;
}

runAndEnd(main);
