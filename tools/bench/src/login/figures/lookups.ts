import { type Figure } from '../../measure/run-bench';
import { type LoginBench, runBurst } from '../login-bench';

/** Calls to the chain for simultaneous log-ins to an account that is not cached. */
export const lookups: Figure<LoginBench> = {
  name: 'lookups',
  async measure(bench) {
    const { stack, sizes } = bench;
    const lookupCounts: number[] = [];
    const loggedIn: number[] = [];
    for (const account of stack.uncachedAccounts) {
      const before = stack.lookups;
      const job = { kind: 'burst' as const, url: stack.serviceUrl, account, count: sizes.burst };
      const { tokens } = await runBurst(bench, job);
      lookupCounts.push(stack.lookups - before);
      loggedIn.push(tokens);
      bench.print(`  ${tokens} of ${sizes.burst} simultaneous log-ins: ${stack.lookups - before} calls to the chain`);
    }
    const isComplete = loggedIn.every((tokens) => tokens === sizes.burst);
    return [
      {
        key: 'lookups',
        what: 'calls to the chain per simultaneous log-in',
        unit: 'lookups',
        subject: 'lookups',
        readings: { lookups: lookupCounts, 'log-ins': loggedIn },
        thresholds: [{ against: 'log-ins', atMost: 1 / sizes.burst }],
        problem: isComplete ? undefined : 'some log-ins failed',
      },
    ];
  },
};
