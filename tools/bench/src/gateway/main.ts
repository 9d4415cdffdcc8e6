import { runBench } from '../measure/run-bench';
import { cached } from './figures/cached';
import { notifications } from './figures/notifications';
import { proxied } from './figures/proxied';
import { type GatewayBench } from './gateway-bench';
import { fullSizes, quickSizes } from './sizes';
import { startStack } from './stack';

runBench<GatewayBench>({
  name: 'gateway',
  figures: [cached, proxied, notifications],
  start: async ({ running, isQuick, say }) => {
    const sizes = isQuick ? quickSizes : fullSizes;
    say('Starting PostgreSQL with an index, a node, the gateway and what it is compared with.');
    return { stack: await startStack(running, sizes), sizes, say };
  },
});
