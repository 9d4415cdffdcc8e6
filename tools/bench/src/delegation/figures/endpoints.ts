import { accountCount, benchAccount, bigAccount } from '@waggle/running';
import { type RequestsResult } from '../../measure/load-requests';
import { type Measure } from '../../measure/measure';
import { numberText } from '../../measure/table';
import { readingsOf, takeTurns } from '../../measure/take-turns';
import { endpointNames, endpointPaths, type EndpointName, targetOf } from '../endpoints';
import { type DelegationBench, type Figure, runReads } from '../delegation-bench';

/** Requested in turn; every second one is the account with the most delegations. */
const accountCycle = 2_000;

/** Requests per second of each endpoint, and of a bare route with the same statement. */
export const endpoints: Figure = {
  name: 'endpoints',
  async measure(bench) {
    const { stack, sizes, print } = bench;
    print(
      `  inserting ${numberText(sizes.delegations)} delegations, ${numberText(sizes.delegationsOfOne)} of them to one account`,
    );
    const servers = { delegation: (await stack.api()).url, 'bare Fastify': await stack.bareFastifyUrl() };
    const measures: Measure[] = [];
    for (const name of endpointNames) {
      const results = await takeTurns(sizes.runs, {
        delegation: () => request(bench, name, servers.delegation, 'delegation'),
        'bare Fastify': () => request(bench, name, servers['bare Fastify'], 'bare Fastify'),
      });
      measures.push({
        key: name,
        what: `GET ${endpointPaths[name]}`,
        unit: 'requests/s',
        subject: 'delegation',
        readings: readingsOf(results, ({ perSecond }) => perSecond),
        thresholds: [{ against: 'bare Fastify', atLeast: 0.7 }],
        problem: Object.values(results)
          .flat()
          .flatMap(({ failures }) => failures)[0],
      });
    }
    return measures;
  },
};

async function request(
  bench: DelegationBench,
  name: EndpointName,
  url: string,
  subject: string,
): Promise<RequestsResult> {
  const { connections, warmUpMs, measuredMs } = bench.sizes;
  const accounts = accountsOf(bench);
  const job = { url, targets: [targetOf(name)], accounts, connections, warmUpMs, measuredMs };
  const result = await runReads(bench, job);
  const busy = Math.round(result.busy * 100);
  bench.print(`  ${name}, ${subject}: ${numberText(result.perSecond)} requests/s, load generator busy ${busy} %`);
  return result;
}

/** Returns the same accounts each time, not sorted. */
function accountsOf({ sizes }: DelegationBench): string[] {
  const others = accountCount(sizes);
  return Array.from({ length: accountCycle }, (_none, index) =>
    index % 2 === 0 ? bigAccount : benchAccount((index * 7_919) % others),
  );
}
