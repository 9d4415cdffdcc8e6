import { type Figure as BenchFigure } from '../measure/run-bench';
import { runLoad } from '../measure/run-load';
import { type Job } from './jobs';
import { type Sizes } from './sizes';
import { type DelegationStack } from './stack';

/** What a figure is measured with. */
export interface DelegationBench {
  stack: DelegationStack;
  sizes: Sizes;
  /** Tells the person at the terminal. */
  say: (line: string) => void;
}

/** One file in `figures/`. */
export type Figure = BenchFigure<DelegationBench>;

interface Schema<T> {
  parse(value: unknown): T;
}

/** Reading a chain takes as long as it takes. */
const fetchMs = 120_000;

/** Runs the load generator once. */
export function runJob<T>({ stack }: DelegationBench, job: Job, result: Schema<T>): Promise<T> {
  const measuredMs = job.kind === 'reads' ? job.warmUpMs + job.measuredMs : fetchMs;
  const script = 'tools/bench/dist/delegation/load/main.js';
  return runLoad(stack.running, { name: job.kind, script, job, measuredMs }, result);
}
