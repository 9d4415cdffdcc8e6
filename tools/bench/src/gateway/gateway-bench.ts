import { type CatchUpBench } from '../catch-up/catch-up-bench';
import { requestsResult, type RequestsResult } from '../measure/load-requests';
import { numberText } from '../measure/table';
import { type Results, takeTurns } from '../measure/take-turns';
import { type Load, runLoad } from '../measure/run-load';
import { type CallsJob } from './jobs';
import { type Sizes } from './sizes';
import { type GatewayStack } from './stack';

export interface GatewayBench {
  stack: GatewayStack;
  sizes: Sizes;
  catchUp: CatchUpBench;
  /** Prints a line of progress. */
  print: (line: string) => void;
}

export const loadScript = 'tools/bench/dist/gateway/load/main.js';

/** Measures once how many calls a server handles per second. */
export async function runCalls(
  { stack, sizes, print }: GatewayBench,
  subject: string,
  calls: Pick<CallsJob, 'url' | 'path' | 'body' | 'count' | 'values'>,
): Promise<RequestsResult> {
  const { connections, warmUpMs, measuredMs } = sizes;
  const job: CallsJob = { kind: 'calls', ...calls, connections, warmUpMs, measuredMs };
  const load: Load = { name: subject, script: loadScript, job, measuredMs: warmUpMs + measuredMs };
  const result = await runLoad(stack.running, load, requestsResult);
  const busy = Math.round(result.busy * 100);
  print(`  ${subject}: ${numberText(result.perSecond)} calls/s, load generator busy ${busy} %`);
  return result;
}

/**
 * Measures in turns. If there are several runs, one that does not count precedes them, because servers are slow at
 * first.
 */
export async function takeWarmTurns(
  { sizes, print }: GatewayBench,
  subjects: Readonly<Record<string, () => Promise<RequestsResult>>>,
): Promise<Results<RequestsResult>> {
  if (sizes.runs > 1) {
    print('  warm-up:');
    await takeTurns(1, subjects);
  }
  print('  measured:');
  return takeTurns(sizes.runs, subjects);
}

/** Returns the first failure. */
export function problemOf(results: Results<RequestsResult>): string | undefined {
  return Object.entries(results).flatMap(([name, each]) =>
    each.flatMap(({ failures }) => failures.map((failure) => `${name}: ${failure}`)),
  )[0];
}
