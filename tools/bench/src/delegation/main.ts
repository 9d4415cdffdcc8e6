import { runBench } from '../measure/run-bench';
import { type DelegationBench } from './figure';
import { catchUp } from './figures/catch-up';
import { endpoints } from './figures/endpoints';
import { memory } from './figures/memory';
import { fullSizes, quickSizes } from './sizes';
import { DelegationStack } from './stack';

runBench<DelegationBench>({
  name: 'delegation',
  figures: [endpoints, catchUp, memory],
  start: async ({ running, isQuick, say }) => {
    const sizes = isQuick ? quickSizes : fullSizes;
    say('Starting PostgreSQL.');
    return { stack: await DelegationStack.start(running, sizes), sizes, say };
  },
});
