import { explain, repositoryFolder, runAndEnd, type Running } from '@waggle/running';
import { compare, type Measure } from './measure';
import { readOptions } from './options';
import { writeRecord } from './record';
import { missedLines, tableOf } from './table';

/** Something that can be measured by itself. */
export interface Figure<Bench> {
  /** By which it is chosen. */
  name: string;
  measure: (bench: Bench) => Promise<Measure[]>;
}

/** How a bench is run. */
export interface BenchRun {
  running: Running;
  /** One short run of each figure, to see that the bench works. */
  isQuick: boolean;
  /** Tells the person at the terminal. */
  say: (line: string) => void;
}

export interface Plan<Bench> {
  /** As in `npm run bench:chat`. */
  name: string;
  /** In the order in which they are measured. */
  figures: readonly Figure<Bench>[];
  /** Starts what the figures are measured with. */
  start: (run: BenchRun) => Promise<Bench>;
}

/** Runs a bench as a command, to the end of the process: with 0 when everything was measured and, but in a quick run, is as wanted. */
export function runBench<Bench>(plan: Plan<Bench>): void {
  runAndEnd((running) => run(plan, running));
}

async function run<Bench>({ name, figures, start }: Plan<Bench>, running: Running): Promise<number> {
  const known = figures.map((figure) => figure.name);
  const options = readOptions(process.argv.slice(2), { bench: name, known, folder: repositoryFolder });
  const { isQuick, file } = options;
  const startedAt = new Date();
  const say = (line: string) => process.stdout.write(`${line}\n`);

  const bench = await start({ running, isQuick, say });
  const measures: Measure[] = [];
  const failures: string[] = [];
  for (const figure of figures.filter((each) => options.figures.includes(each.name))) {
    say(`Measuring ${figure.name}.`);
    try {
      measures.push(...(await figure.measure(bench)));
    } catch (error) {
      if (running.signal.aborted) throw error;
      failures.push(`${figure.name} was not measured: ${explain(error)}`);
    }
  }
  writeRecord(file, measures, { startedAt, isQuick });
  say(
    ['', tableOf(measures), '', ...missedLines(measures), ...failures, `Each run's values are in ${file}.`].join('\n'),
  );
  if (isQuick) say('This was a quick run: it shows that the bench works, and says nothing about speed.');
  const isAsWanted = measures.flatMap(compare).every(({ isMet }) => isMet);
  return failures.length === 0 && (isQuick || isAsWanted) ? 0 : 1;
}
