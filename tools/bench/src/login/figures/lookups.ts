import { type Figure } from '../../measure/run-bench';
import { type LoginBench, runBurst } from '../login-bench';

/** How often the chain is asked for an account that nobody knows yet, and to which many log in at once. */
export const lookups: Figure<LoginBench> = {
  name: 'lookups',
  async measure(bench) {
    const { stack, sizes } = bench;
    const asked: number[] = [];
    const loggedIn: number[] = [];
    for (const account of stack.strangers) {
      const before = stack.lookups;
      const job = { kind: 'burst' as const, url: stack.serviceUrl, account, count: sizes.burst };
      const { tokens } = await runBurst(bench, job);
      asked.push(stack.lookups - before);
      loggedIn.push(tokens);
      bench.say(`  ${tokens} of ${sizes.burst} log-ins at once: the chain was asked ${stack.lookups - before} times`);
    }
    const isComplete = loggedIn.every((tokens) => tokens === sizes.burst);
    return [
      {
        key: 'lookups',
        what: 'authority lookups of an account, for log-ins at once',
        unit: 'lookups',
        subject: 'lookups',
        readings: { lookups: asked, 'log-ins': loggedIn },
        thresholds: [{ against: 'log-ins', atMost: 1 / sizes.burst }],
        problem: isComplete ? undefined : 'not all were logged in',
      },
    ];
  },
};
