import { runBenchProcess } from '../../measure/bench-process';
import { job } from '../jobs';
import { loadDirect } from './direct';
import { loadGroup } from './group';
import { loadIdle } from './idle';
import { loadLatency } from './latency';
import { loadReactions } from './reactions';
import { loadReads } from './reads';

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
    case 'reads':
      return loadReads(parsed);
    case 'reactions':
      return loadReactions(parsed);
  }
});
