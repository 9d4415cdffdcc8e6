import { type Figure } from '../../measure/run-bench';
import { readingsOf } from '../../measure/take-turns';
import { type GatewayBench, problemOf, runCalls, takeWarmTurns } from '../gateway-bench';

const body = '{"jsonrpc":"2.0","id":1,"method":"condenser_api.get_accounts","params":[["bench-#"]]}';
/** The number of different reads, each cached until the next block. */
const count = 100;

/** Cached reads, and a route that returns the same bytes. */
export const cached: Figure<GatewayBench> = {
  name: 'cached',
  async measure(bench) {
    const { gateway, bareUrl } = bench.stack;
    const results = await takeWarmTurns(bench, {
      gateway: () => runCalls(bench, 'gateway', { url: gateway.url, path: '/rpc', body, count }),
      'bare Fastify': () => runCalls(bench, 'bare Fastify', { url: bareUrl, path: '/cached', body, count }),
    });
    return [
      {
        key: 'cached',
        what: 'cached reads',
        unit: 'calls/s',
        subject: 'gateway',
        readings: readingsOf(results, ({ perSecond }) => perSecond),
        thresholds: [{ against: 'bare Fastify', atLeast: 0.6 }],
        problem: problemOf(results),
      },
    ];
  },
};
