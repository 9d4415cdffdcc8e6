import { type Figure } from '../../measure/run-bench';
import { readingsOf } from '../../measure/take-turns';
import { type GatewayBench, problemOf, runCalls, takeWarmTurns } from '../gateway-bench';

const body = '{"jsonrpc":"2.0","id":1,"method":"condenser_api.get_accounts","params":[["bench-#"]]}';
/** More than are asked for: no read is the same as another. */
const count = Number.MAX_SAFE_INTEGER;

/** Reads that a node is asked for, beside a route that hands them on over a pool, and nginx where it is installed. */
export const proxied: Figure<GatewayBench> = {
  name: 'proxied',
  async measure(bench) {
    const { gatewayUrl, bareUrl, nginxUrl } = bench.stack;
    const results = await takeWarmTurns(bench, {
      gateway: () => runCalls(bench, 'gateway', { url: gatewayUrl, path: '/rpc', body, count }),
      'bare Fastify': () => runCalls(bench, 'bare Fastify', { url: bareUrl, path: '/proxied', body, count }),
      ...(nginxUrl !== undefined && {
        nginx: () => runCalls(bench, 'nginx', { url: nginxUrl, path: '/', body, count }),
      }),
    });
    if (nginxUrl === undefined) bench.say('  nginx is not installed: it is not measured');
    return [
      {
        key: 'proxied',
        what: 'reads that a node is asked for',
        unit: 'calls/s',
        subject: 'gateway',
        readings: readingsOf(results, ({ perSecond }) => perSecond),
        thresholds: [
          { against: 'bare Fastify', atLeast: 0.6 },
          // Nothing is asked of it: it is there to be seen.
          ...(nginxUrl === undefined ? [] : [{ against: 'nginx', atLeast: 0 }]),
        ],
        problem: problemOf(results),
      },
    ];
  },
};
