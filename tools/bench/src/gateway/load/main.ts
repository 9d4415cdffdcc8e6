import { runBenchProcess } from '../../measure/bench-process';
import { loadJob } from '../jobs';
import { loadCalls } from './calls';
import { loadDelay } from './delay';
import { openStreams } from './event-streams';

runBenchProcess(async (input) => {
  const job = loadJob.parse(input);
  switch (job.kind) {
    case 'calls':
      return await loadCalls(job);
    case 'delay':
      return await loadDelay(job);
    case 'streams':
      await openStreams(job);
      return { open: job.streams };
  }
});
