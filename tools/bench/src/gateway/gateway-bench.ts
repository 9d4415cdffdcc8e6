import { type CatchUpBench } from '../catch-up/catch-up-bench';
import { numberText } from '../measure/table';
import { type Results, takeTurns } from '../measure/take-turns';
import { type Load, runLoad } from '../measure/run-load';
import { type CallsJob, callsResult, type CallsResult } from './jobs';
import { type Sizes } from './sizes';
import { type GatewayStack } from './stack';

/** What a figure is measured with. */
export interface GatewayBench {
  stack: GatewayStack;
  sizes: Sizes;
  catchUp: CatchUpBench;
  /** Tells the person at the terminal. */
  say: (line: string) => void;
}

/** The load generator. */
export const loadScript = 'tools/bench/dist/gateway/load/main.js';

/** Measures once how many of these calls a server answers in a second. */
export async function runCalls(
  { stack, sizes, say }: GatewayBench,
  subject: string,
  calls: Pick<CallsJob, 'url' | 'path' | 'body' | 'count'>,
): Promise<CallsResult> {
  const { connections, warmUpMs, measuredMs } = sizes;
  const job: CallsJob = { kind: 'calls', ...calls, connections, warmUpMs, measuredMs };
  const load: Load = { name: subject, script: loadScript, job, measuredMs: warmUpMs + measuredMs };
  const result = await runLoad(stack.running, load, callsResult);
  const busy = Math.round(result.busy * 100);
  say(`  ${subject}: ${numberText(result.perSecond)} calls/s, load generator busy ${busy} %`);
  return result;
}

/** In turns, after one that does not count: what has just begun to answer calls of a kind is slow. */
export async function takeWarmTurns(
  { sizes, say }: GatewayBench,
  subjects: Readonly<Record<string, () => Promise<CallsResult>>>,
): Promise<Results<CallsResult>> {
  say('  to warm up:');
  await takeTurns(1, subjects);
  say('  measured:');
  return takeTurns(sizes.runs, subjects);
}

/** The first thing that was wrong with any of the results. */
export function problemOf(results: Results<CallsResult>): string | undefined {
  return Object.entries(results).flatMap(([name, each]) =>
    each.flatMap(({ failures }) => failures.map((failure) => `${name}: ${failure}`)),
  )[0];
}
