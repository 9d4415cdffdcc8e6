import { type Load, runLoad } from '../measure/run-load';
import { type BurstJob, burstResult, type BurstResult, type RateJob, rateResult, type RateResult } from './jobs';
import { type Sizes } from './sizes';
import { type LoginStack } from './stack';

export interface LoginBench {
  stack: LoginStack;
  sizes: Sizes;
  /** Prints a line of progress. */
  print: (line: string) => void;
}

const script = 'tools/bench/dist/login/load/main.js';

export function runRate({ stack }: LoginBench, job: RateJob): Promise<RateResult> {
  const load: Load = { name: job.kind, script, job, measuredMs: job.measuredMs };
  return runLoad(stack.running, load, rateResult);
}

export function runBurst({ stack }: LoginBench, job: BurstJob): Promise<BurstResult> {
  return runLoad(stack.running, { name: job.kind, script, job, measuredMs: 0 }, burstResult);
}
