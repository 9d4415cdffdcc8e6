import { requestsResult, type RequestsResult } from '../measure/load-requests';
import { type Figure as BenchFigure } from '../measure/run-bench';
import { runLoad } from '../measure/run-load';
import { type CatchUpBench } from '../catch-up/catch-up-bench';
import { type ReadsJob } from './jobs';
import { type Sizes } from './sizes';
import { type DelegationStack } from './stack';

export interface DelegationBench {
  stack: DelegationStack;
  sizes: Sizes;
  catchUp: CatchUpBench;
  /** Prints a line of progress. */
  print: (line: string) => void;
}

export type Figure = BenchFigure<DelegationBench>;

/** Runs the load generator once. */
export function runReads({ stack }: DelegationBench, job: ReadsJob): Promise<RequestsResult> {
  const script = 'tools/bench/dist/delegation/load/main.js';
  const measuredMs = job.warmUpMs + job.measuredMs;
  return runLoad(stack.running, { name: 'reads', script, job, measuredMs }, requestsResult);
}
