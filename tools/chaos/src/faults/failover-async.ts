import { startStandby } from '@waggle/testing';
import { sleep } from '../until';
import { type Fault } from './fault';

/** So much the standby lacks. */
const leastLagMs = 1_000;
const mostLagMs = 2_000;

/** The primary is killed, and a standby is promoted that lacks what was committed last, acknowledged messages among it. */
export const failoverAsync: Fault = {
  name: 'failover-async',
  strikes: ({ stack, load, pace, random, signal }) => [
    {
      target: 'PostgreSQL',
      run: async () => {
        const standby = stack.keep(await startStandby(stack.postgres, { replication: 'asynchronous' }));
        await standby.stopReceiving();
        await sleep(random.between(leastLagMs, mostLagMs), signal);
        await stack.postgres.kill();
        await pace.away();
        await standby.promote();
        const conversations = await stack.replacePostgres(standby);
        load.keepOnly(conversations);
      },
    },
  ],
};
