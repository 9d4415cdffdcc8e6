import { startStandby } from '@waggle/testing';
import { sleep } from '../until';
import { type Fault } from './fault';

/** Every instance asks its database once a second whether replication is synchronous; so long that has been so. */
const noticedMs = 2_500;

/** The primary is killed while a synchronous standby has all that was acknowledged, and that is promoted. */
export const failoverSync: Fault = {
  name: 'failover-sync',
  strikes: ({ stack, pace, signal }) => [
    {
      target: 'PostgreSQL',
      run: async () => {
        const standby = stack.keep(await startStandby(stack.postgres, { replication: 'synchronous' }));
        await sleep(noticedMs, signal);
        await stack.postgres.kill();
        await pace.away();
        await standby.promote();
        await stack.replacePostgres(standby);
      },
    },
  ],
};
