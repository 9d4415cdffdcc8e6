import { runBench } from '../measure/run-bench';
import { lookups } from './figures/lookups';
import { rate } from './figures/rate';
import { type LoginBench } from './login-bench';
import { fullSizes, quickSizes } from './sizes';
import { LoginStack } from './stack';

runBench<LoginBench>({
  name: 'login',
  figures: [rate, lookups],
  start: async ({ running, isQuick, print }) => {
    const sizes = isQuick ? quickSizes : fullSizes;
    print('Starting PostgreSQL, Redis, the devnet and its accounts, the service and the bare route.');
    return { stack: await LoginStack.start(running, sizes), sizes, print };
  },
});
