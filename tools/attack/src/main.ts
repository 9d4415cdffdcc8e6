import { runAndEnd, type Running } from '@waggle/running';
import { allAttacks, findAttack } from './attacks/all-attacks';
import { readOptions } from './options';
import { type AttackOutcome } from './outcome';
import { reportText } from './report';
import { runAttack } from './run-attack';
import { runShortForms } from './short-form';
import { runSoak } from './soak';
import { Target } from './target/target';

/** How long an attack lasts; in short forms, how long all of them may take. */
const attackSeconds = { quick: 120, full: 60 };

/** At the full rate, all attackers together would measure two processors, and not what one client can do. */
const soakRate = 0.1;

/** @returns the exit code: 0 if every attack was held off */
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
  // Only the report goes to standard output.
  const log = (line: string) => process.stderr.write(`${line}\n`);
  log('Starting PostgreSQL, Redis and a devnet.');
  const target = await Target.start(running, { checkout, heapMebibytes, size: { isQuick, seconds, rate } });
  const outcomes: AttackOutcome[] = [];
  if (soakMinutes !== undefined) {
    log(`All attacks by load at once for ${soakMinutes} minutes.`);
    outcomes.push(await runSoak(target));
  } else if (isQuick) {
    outcomes.push(...(await runShortForms(names.map(findAttack), target)));
  } else {
    for (const name of names) {
      running.signal.throwIfAborted();
      const sinceMs = performance.now();
      const outcome = await runAttack(findAttack(name), target);
      outcomes.push(outcome);
      const result = outcome.failures.length === 0 ? 'pass' : `FAIL (${outcome.failures.join('; ')})`;
      log(`${name}: ${result}, ${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`);
    }
  }
  process.stdout.write(`${isJson ? JSON.stringify(outcomes, undefined, 2) : reportText(outcomes)}\n`);
  return outcomes.every(({ failures }) => failures.length === 0) ? 0 : 1;
}

runAndEnd(main);
