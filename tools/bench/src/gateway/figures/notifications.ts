import { benchPrefix } from '@waggle/running';
import { type Figure } from '../../measure/run-bench';
import { readingsOf } from '../../measure/take-turns';
import { type GatewayBench, problemOf, runCalls, takeWarmTurns } from '../gateway-bench';

const body = `{"jsonrpc":"2.0","id":1,"method":"bridge.account_notifications","params":{"account":"${benchPrefix}#","limit":50}}`;

/** Notifications from the index, and a route with the same statement. */
export const notifications: Figure<GatewayBench> = {
  name: 'notifications',
  async measure(bench) {
    const { stack, sizes } = bench;
    const count = sizes.accounts;
    const results = await takeWarmTurns(bench, {
      gateway: () => runCalls(bench, 'gateway', { url: stack.gateway.url, path: '/rpc', body, count }),
      'bare Fastify': () =>
        runCalls(bench, 'bare Fastify', { url: stack.bareUrl, path: '/notifications', body, count }),
    });
    return [
      {
        key: 'notifications',
        what: 'bridge.account_notifications, 50 items',
        unit: 'calls/s',
        subject: 'gateway',
        readings: readingsOf(results, ({ perSecond }) => perSecond),
        thresholds: [{ against: 'bare Fastify', atLeast: 0.6 }],
        problem: problemOf(results),
      },
    ];
  },
};
