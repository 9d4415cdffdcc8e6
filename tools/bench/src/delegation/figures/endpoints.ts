import { accountCount, accountName, bigAccount } from '@waggle/running';
import { type Measure } from '../../measure/measure';
import { numberText } from '../../measure/table';
import { readingsOf, takeTurns } from '../../measure/take-turns';
import { endpointNames, endpointPaths, type EndpointName, targetOf } from '../endpoints';
import { type DelegationBench, type Figure, runReads } from '../figure';
import { type ReadsResult } from '../jobs';

/** So many accounts are asked for in turn; every second request is for the big one. */
const accountsAsked = 2_000;

/** What an endpoint gives in a second, beside a bare route with the same statement. */
export const endpoints: Figure = {
  name: 'endpoints',
  async measure(bench) {
    const { stack, sizes, say } = bench;
    say(`  filling ${numberText(sizes.delegations)} delegations, ${numberText(sizes.delegationsOfOne)} of them to one`);
    const servers = { delegation: (await stack.api()).url, 'bare Fastify': (await stack.bareFastify()).url };
    const measures: Measure[] = [];
    for (const name of endpointNames) {
      const results = await takeTurns(sizes.runs, {
        delegation: () => ask(bench, name, servers.delegation, 'delegation'),
        'bare Fastify': () => ask(bench, name, servers['bare Fastify'], 'bare Fastify'),
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

async function ask(bench: DelegationBench, name: EndpointName, url: string, who: string): Promise<ReadsResult> {
  const { connections, warmUpMs, measuredMs } = bench.sizes;
  const accounts = accountsOf(bench);
  const job = { url, targets: [targetOf(name)], accounts, connections, warmUpMs, measuredMs };
  const result = await runReads(bench, job);
  const busy = Math.round(result.busy * 100);
  bench.say(`  ${name}, ${who}: ${numberText(result.perSecond)} requests/s, load generator busy ${busy} %`);
  return result;
}

/** The same ones each time, in no order. */
function accountsOf({ sizes }: DelegationBench): string[] {
  const others = accountCount(sizes);
  return Array.from({ length: accountsAsked }, (_none, place) =>
    place % 2 === 0 ? bigAccount : accountName((place * 7_919) % others),
  );
}
