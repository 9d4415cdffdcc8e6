import { type Measure } from '../measure/measure';
import { type Figure as BenchFigure } from '../measure/run-bench';
import { type Load, runLoad } from '../measure/run-load';
import { readingsOf, type Results } from '../measure/take-turns';
import { type Counted, type Failures, type Job } from './jobs';
import { type Sizes } from './sizes';
import { type ChatStack } from './stack';

export interface ChatBench {
  stack: ChatStack;
  sizes: Sizes;
  /** Prints a line of progress. */
  print: (line: string) => void;
}

export type Figure = BenchFigure<ChatBench>;

export const loadScript = 'tools/bench/dist/chat/load/main.js';

interface Schema<T> {
  parse(value: unknown): T;
}

/** Runs the load generator once and prints the result. @param subject the server that is measured */
export async function measureOnce<R>(
  { stack, sizes, print }: ChatBench,
  subject: string,
  job: Job,
  result: Schema<R>,
  describe: (result: R) => string,
): Promise<R> {
  const load: Load = { name: job.kind, script: loadScript, job, measuredMs: sizes.warmUpMs + sizes.measuredMs };
  const measured = await runLoad(stack.running, load, result);
  print(`  ${job.kind}, ${subject}: ${describe(measured)}`);
  return measured;
}

/** Returns the readings of loads that send messages, and the first problem. */
export function readingsAndProblem<R extends Failures>(
  results: Results<R>,
  read: (result: R) => number,
): Pick<Measure, 'readings' | 'problem'> {
  const problems = Object.entries(results).flatMap(([name, each]) =>
    each.flatMap((result) => {
      const problem = problemOf(result, read(result));
      return problem === undefined ? [] : [`${name}: ${problem}`];
    }),
  );
  return { readings: readingsOf(results, read), problem: problems[0] };
}

/** Returns the CPU time per message of each process, in µs. */
export function cpuUsOf<R extends Counted>(
  results: Results<R>,
  messagesPerSecond: (result: R) => number,
): NonNullable<Measure['cpuUs']> {
  const cpuUs = (result: R) => {
    const each = Object.entries(result.cores);
    return Object.fromEntries(
      each.map(([name, cores]): [string, number] => [name, (cores * 1e6) / messagesPerSecond(result)]),
    );
  };
  return Object.fromEntries(Object.entries(results).map(([name, each]) => [name, each.map(cpuUs)]));
}

function problemOf({ undelivered, unexpected, errors }: Failures, value: number): string | undefined {
  const [error] = errors;
  if (error !== undefined) return error;
  if (value === 0) return 'not delivered';
  if (undelivered > 0) return `${undelivered} messages not delivered`;
  return unexpected > 0 ? `${unexpected} unexpected messages` : undefined;
}
