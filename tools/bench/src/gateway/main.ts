import { CatchUpBench } from '../catch-up/catch-up-bench';
import { catchUp, slowNodesCatchUp } from '../catch-up/figures';
import { runBench } from '../measure/run-bench';
import { cached } from './figures/cached';
import { eventDelay } from './figures/event-delay';
import { eventMemory } from './figures/event-memory';
import { notifications } from './figures/notifications';
import { proxied } from './figures/proxied';
import { type GatewayBench } from './gateway-bench';
import { fullSizes, quickSizes } from './sizes';
import { startIndexer, startStack } from './stack';

runBench<GatewayBench>({
  name: 'gateway',
  figures: [cached, proxied, notifications, catchUp, slowNodesCatchUp, eventMemory, eventDelay],
  start: async ({ running, isQuick, say }) => {
    const sizes = isQuick ? quickSizes : fullSizes;
    say('Starting PostgreSQL with an index, a node, the gateway and what it is compared with.');
    const stack = await startStack(running, sizes);
    const catchUp = new CatchUpBench({
      running,
      sizes: sizes.catchUp,
      say,
      content: 'social',
      startIndexer: (nodeUrls) => startIndexer(stack, nodeUrls),
    });
    return { stack, sizes, catchUp, say };
  },
});
