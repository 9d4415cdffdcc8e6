import { startIndexer } from '@waggle/running';
import { CatchUpBench } from '../catch-up/catch-up-bench';
import { catchUp, slowNodesCatchUp } from '../catch-up/figures';
import { runBench } from '../measure/run-bench';
import { type DelegationBench } from './delegation-bench';
import { endpoints } from './figures/endpoints';
import { memory } from './figures/memory';
import { fullSizes, quickSizes } from './sizes';
import { DelegationStack } from './stack';

runBench<DelegationBench>({
  name: 'delegation',
  figures: [endpoints, catchUp, slowNodesCatchUp, memory],
  start: async ({ running, isQuick, print }) => {
    const sizes = isQuick ? quickSizes : fullSizes;
    print('Starting PostgreSQL.');
    const stack = await DelegationStack.start(running, sizes);
    const catchUp = new CatchUpBench({
      running,
      sizes,
      print,
      content: 'delegations',
      startIndexer: async (nodeUrls) => {
        const databaseUrl = await stack.emptyDatabase();
        const process = await startIndexer(running, 'delegation', {
          DATABASE_URL: databaseUrl,
          HIVE_API_NODES: nodeUrls.join(','),
          START_FROM: 'first-block',
        });
        return { process, databaseUrl };
      },
    });
    return { stack, sizes, catchUp, print };
  },
});
