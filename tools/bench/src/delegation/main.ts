import { CatchUpBench } from '../catch-up/catch-up-bench';
import { catchUp, slowNodesCatchUp } from '../catch-up/figures';
import { runBench } from '../measure/run-bench';
import { type DelegationBench } from './figure';

import { endpoints } from './figures/endpoints';
import { memory } from './figures/memory';
import { startIndexer } from './service';
import { fullSizes, quickSizes } from './sizes';
import { DelegationStack } from './stack';

runBench<DelegationBench>({
  name: 'delegation',
  figures: [endpoints, catchUp, slowNodesCatchUp, memory],
  start: async ({ running, isQuick, say }) => {
    const sizes = isQuick ? quickSizes : fullSizes;
    say('Starting PostgreSQL.');
    const stack = await DelegationStack.start(running, sizes);
    const catchUp = new CatchUpBench({
      running,
      sizes,
      say,
      content: 'delegations',
      startIndexer: async (nodeUrls) => {
        const databaseUrl = await stack.emptyDatabase();
        return { process: await startIndexer(running, databaseUrl, nodeUrls), databaseUrl };
      },
    });
    return { stack, sizes, catchUp, say };
  },
});
