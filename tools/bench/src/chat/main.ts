import { runBench } from '../measure/run-bench';
import { type ChatBench } from './chat-bench';
import { direct } from './figures/direct';
import { group } from './figures/group';
import { history } from './figures/history';
import { latency } from './figures/latency';
import { largeAccount } from './figures/large-account';
import { memory } from './figures/memory';
import { reactions } from './figures/reactions';
import { twoInstances } from './figures/two-instances';
import { fullSizes, quickSizes } from './sizes';
import { ChatStack } from './stack';

runBench<ChatBench>({
  name: 'chat',
  figures: [direct, twoInstances, latency, group, reactions, memory, history, largeAccount],
  start: async ({ running, isQuick, print }) => {
    const sizes = isQuick ? quickSizes : fullSizes;
    print('Starting PostgreSQL, Redis, the devnet and its accounts.');
    return { stack: await ChatStack.start(running, sizes), sizes, print };
  },
});
