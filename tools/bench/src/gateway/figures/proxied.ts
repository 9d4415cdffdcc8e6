import { type Figure } from '../../measure/run-bench';
import { readingsOf } from '../../measure/take-turns';
import { type GatewayBench, problemOf, runCalls, takeWarmTurns } from '../gateway-bench';

const body = '{"jsonrpc":"2.0","id":1,"method":"condenser_api.get_accounts","params":[["bench-#"]]}';
/** Every read is different. */
const count = Number.MAX_SAFE_INTEGER;

/** Reads that reach a node, a route that forwards them over a pool, and nginx if it is installed. */
export const proxied: Figure<GatewayBench> = {
  name: 'proxied',
  async measure(bench) {
    const { gateway, bareUrl, nginxUrl } = bench.stack;
    const results = await takeWarmTurns(bench, {
      gateway: () => runCalls(bench, 'gateway', { url: gateway.url, path: '/rpc', body, count }),
      'bare Fastify': () => runCalls(bench, 'bare Fastify', { url: bareUrl, path: '/proxied', body, count }),
      ...(nginxUrl !== undefined && {
        nginx: () => runCalls(bench, 'nginx', { url: nginxUrl, path: '/', body, count }),
      }),
    });
    if (nginxUrl === undefined) bench.print('  nginx is not installed and not measured');
    return [
      {
        key: 'proxied',
        what: 'proxied reads',
        unit: 'calls/s',
        subject: 'gateway',
        readings: readingsOf(results, ({ perSecond }) => perSecond),
        thresholds: [
          { against: 'bare Fastify', atLeast: 0.6 },
          ...(nginxUrl === undefined ? [] : [{ against: 'nginx' }]),
        ],
        problem: problemOf(results),
      },
    ];
  },
};
