import { type Figure } from '../../measure/run-bench';
import { numberText } from '../../measure/table';
import { readingsOf, takeTurns } from '../../measure/take-turns';
import { type RateResult } from '../jobs';
import { type LoginBench, runRate } from '../login-bench';

/** Log-ins per second of the service, and of a route that only does the cryptography. */
export const rate: Figure<LoginBench> = {
  name: 'rate',
  async measure(bench) {
    const { stack, sizes } = bench;
    const results = await takeTurns(sizes.runs, {
      service: () => measureRate(bench, 'service', stack.serviceUrl),
      'bare route': () => measureRate(bench, 'bare route', stack.bareRouteUrl),
    });
    const problems = Object.entries(results).flatMap(([name, each]) =>
      each.flatMap(({ problem }) => (problem === undefined ? [] : [`${name}: ${problem}`])),
    );
    return [
      {
        key: 'rate',
        what: 'log-ins, one instance',
        unit: 'log-ins/s',
        subject: 'service',
        readings: readingsOf(results, ({ perSecond }) => perSecond),
        thresholds: [{ against: 'bare route', atLeast: 0.5 }],
        problem: problems[0],
      },
    ];
  },
};

async function measureRate(bench: LoginBench, subject: string, url: string): Promise<RateResult> {
  const { signed, concurrency, warmUpLogins, measuredMs } = bench.sizes;
  const { accounts } = bench.stack;
  const job = { kind: 'rate' as const, url, accounts: [...accounts], signed, concurrency, warmUpLogins, measuredMs };
  const result = await runRate(bench, job);
  const { perSecond, busy } = result;
  bench.print(`  ${subject}: ${numberText(perSecond)} log-ins/s (load generator busy ${Math.round(busy * 100)} %)`);
  return result;
}
