import { type Measure } from '../measure/measure';
import { type Figure as BenchFigure } from '../measure/run-bench';
import { type Load, runLoad } from '../measure/run-load';
import { readingsOf, type Results } from '../measure/take-turns';
import { type Counted, type Faults, type Job } from './jobs';
import { type Sizes } from './sizes';
import { type ChatStack } from './stack';

/** What a figure is measured with. */
export interface ChatBench {
  stack: ChatStack;
  sizes: Sizes;
  /** Tells the person at the terminal. */
  say: (line: string) => void;
}

/** One file in `figures/`. */
export type Figure = BenchFigure<ChatBench>;

/** The load generator of the chat. */
export const loadScript = 'tools/bench/dist/chat/load/main.js';

interface Schema<T> {
  parse(value: unknown): T;
}

/**
 * Runs the load generator once.
 *
 * @param subject who is measured, to be told
 * @param tell the result in a few words
 */
export async function measureOnce<R>(
  { stack, sizes, say }: ChatBench,
  subject: string,
  job: Job,
  result: Schema<R>,
  tell: (result: R) => string,
): Promise<R> {
  const load: Load = { name: job.kind, script: loadScript, job, measuredMs: sizes.warmUpMs + sizes.measuredMs };
  const measured = await runLoad(stack.running, load, result);
  say(`  ${job.kind}, ${subject}: ${tell(measured)}`);
  return measured;
}

/** The readings, and what went wrong with them, of loads that send messages. */
export function readingsAndProblem<R extends Faults>(
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

/** The CPU time in µs that one message took in each process. */
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

function problemOf({ undelivered, unexpected, refusals }: Faults, value: number): string | undefined {
  const [refusal] = refusals;
  if (refusal !== undefined) return refusal;
  if (value === 0) return 'not delivered';
  if (undelivered > 0) return `${undelivered} messages not delivered`;
  return unexpected > 0 ? `${unexpected} messages came twice` : undefined;
}
