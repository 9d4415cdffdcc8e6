import { repositoryFolder, runAndEnd, type Running } from '@waggle/running';
import { faultNames } from './faults/all-faults';
import { readOptions } from './options';
import { reportText, writeReport } from './report';
import { runChaos } from './run';

/** @returns the exit code: 0 without violations and failures */
async function main(running: Running): Promise<number> {
  const options = readOptions(process.argv.slice(2), faultNames, repositoryFolder);
  const startedAt = new Date();
  const print = (line: string) => process.stdout.write(`${line}\n`);
  print(`Seed ${options.seed}.`);
  const outcome = await runChaos(running, options, print);
  writeReport(outcome, options, startedAt);
  print(['', reportText(outcome), '', `Seed ${options.seed}. The report is in ${options.file}.`].join('\n'));
  return outcome.violations.length === 0 && outcome.failures.length === 0 ? 0 : 1;
}

runAndEnd(main);
