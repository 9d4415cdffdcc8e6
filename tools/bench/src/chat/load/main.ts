import { runBenchProcess } from '../../measure/bench-process';
import { job } from '../jobs';
import { loadDirect } from './direct';
import { loadGroup } from './group';
import { loadHistory } from './history';
import { loadIdle } from './idle';
import { loadLatency } from './latency';

runBenchProcess((input) => {
  const parsed = job.parse(input);
  switch (parsed.kind) {
    case 'direct':
      return loadDirect(parsed);
    case 'latency':
      return loadLatency(parsed);
    case 'group':
      return loadGroup(parsed);
    case 'idle':
      return loadIdle(parsed);
    case 'history':
      return loadHistory(parsed);
  }
});
