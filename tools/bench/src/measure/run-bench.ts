import { explain, repositoryFolder, runAndEnd, type Running } from '@waggle/running';
import { compare, type Measure } from './measure';
import { readOptions } from './options';
import { writeRecord } from './record';
import { missedLines, tableOf } from './table';

export interface Figure<Bench> {
  name: string;
  measure: (bench: Bench) => Promise<Measure[]>;
}

export interface BenchRun {
  running: Running;
  /** One short run of each figure, to check that the benchmark works. */
  isQuick: boolean;
  /** Prints a line of progress. */
  print: (line: string) => void;
}

export interface Plan<Bench> {
  name: string;
  /** In the order of measurement. */
  figures: readonly Figure<Bench>[];
  /** Starts the servers. */
  start: (run: BenchRun) => Promise<Bench>;
}

/** Runs a benchmark as a command. It exits with 0 if everything was measured and, unless quick, all targets are met. */
export function runBench<Bench>(plan: Plan<Bench>): void {
  runAndEnd((running) => run(plan, running));
}

async function run<Bench>({ name, figures, start }: Plan<Bench>, running: Running): Promise<number> {
  const known = figures.map((figure) => figure.name);
  const options = readOptions(process.argv.slice(2), { bench: name, known, folder: repositoryFolder });
  const { isQuick, file } = options;
  const startedAt = new Date();
  const print = (line: string) => process.stdout.write(`${line}\n`);

  const bench = await start({ running, isQuick, print });
  const measures: Measure[] = [];
  const failures: string[] = [];
  for (const figure of figures.filter((each) => options.figures.includes(each.name))) {
    print(`Measuring ${figure.name}.`);
    try {
      measures.push(...(await figure.measure(bench)));
    } catch (error) {
      if (running.signal.aborted) throw error;
      failures.push(`${figure.name} was not measured: ${explain(error)}`);
    }
  }
  writeRecord(file, measures, { startedAt, isQuick });
  print(
    ['', tableOf(measures), '', ...missedLines(measures), ...failures, `Each run's values are in ${file}.`].join('\n'),
  );
  if (isQuick) print('This was a quick run: it checks that the benchmark works and is not a measurement.');
  const areTargetsMet = measures.flatMap(compare).every(({ isMet }) => isMet);
  return failures.length === 0 && (isQuick || areTargetsMet) ? 0 : 1;
}
