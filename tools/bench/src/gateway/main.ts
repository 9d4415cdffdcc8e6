import { startIndexer } from '@waggle/running';
import { CatchUpBench } from '../catch-up/catch-up-bench';
import { catchUp, slowNodesCatchUp } from '../catch-up/figures';
import { runBench } from '../measure/run-bench';
import { cached } from './figures/cached';
import { eventDelay } from './figures/event-delay';
import { eventMemory } from './figures/event-memory';
import { notifications } from './figures/notifications';
import { posts } from './figures/posts';
import { proxied } from './figures/proxied';
import { type GatewayBench } from './gateway-bench';
import { fullSizes, quickSizes } from './sizes';
import { startStack } from './stack';

runBench<GatewayBench>({
  name: 'gateway',
  figures: [cached, proxied, notifications, posts, catchUp, slowNodesCatchUp, eventMemory, eventDelay],
  start: async ({ running, isQuick, print }) => {
    const sizes = isQuick ? quickSizes : fullSizes;
    print('Starting PostgreSQL with an index, a node, the gateway and the baselines.');
    const stack = await startStack(running, sizes);
    const catchUp = new CatchUpBench({
      running,
      sizes: sizes.catchUp,
      print,
      content: 'social',
      startIndexer: async (nodeUrls) => {
        const databaseUrl = await stack.createDatabase();
        const process = await startIndexer(running, 'rpc-gateway', {
          DATABASE_URL: databaseUrl,
          HIVE_API_NODES: nodeUrls.join(','),
        });
        return { process, databaseUrl };
      },
    });
    return { stack, sizes, catchUp, print };
  },
});
