import { cloneFolder } from '../../local-stack/clone';
import { explain } from '../../plain-error';
import { runAndEnd } from '../../running/run-and-end';
import { type Running } from '../../running/running';
import { compare, type Measure } from '../measure/measure';
import { readOptions } from '../measure/options';
import { writeRecord } from '../measure/record';
import { tableOf } from '../measure/table';
import { type DelegationBench, type Figure } from './figure';
import { catchUp } from './figures/catch-up';
import { endpoints } from './figures/endpoints';
import { memory } from './figures/memory';
import { fullSizes, quickSizes } from './sizes';
import { DelegationStack } from './stack';

/** In the order in which they are measured. */
const figures: readonly Figure[] = [endpoints, catchUp, memory];

/** @returns the exit code: 0 when everything was measured and, but in a quick run, is as wanted */
async function main(running: Running): Promise<number> {
  const names = figures.map(({ name }) => name);
  const { figures: chosen, isQuick, file } = readOptions(process.argv.slice(2), names, cloneFolder, 'delegation');
  const startedAt = new Date();
  const sizes = isQuick ? quickSizes : fullSizes;
  const say = (line: string) => process.stdout.write(`${line}\n`);

  say('Starting PostgreSQL.');
  const bench: DelegationBench = { stack: await DelegationStack.start(running, sizes), sizes, say };
  const measures: Measure[] = [];
  const failures: string[] = [];
  for (const figure of figures.filter(({ name }) => chosen.includes(name))) {
    say(`Measuring ${figure.name}.`);
    try {
      measures.push(...(await figure.measure(bench)));
    } catch (error) {
      if (running.signal.aborted) throw error;
      failures.push(`${figure.name} was not measured: ${explain(error)}`);
    }
  }
  writeRecord(file, measures, { startedAt, isQuick });
  say(['', tableOf(measures), '', ...failures, `Each run's values are in ${file}.`].join('\n'));
  if (isQuick) say('This was a quick run: it shows that the bench works, and says nothing about speed.');
  const isAsWanted = measures.flatMap(compare).every(({ isMet }) => isMet);
  return failures.length === 0 && (isQuick || isAsWanted) ? 0 : 1;
}

runAndEnd(main);
