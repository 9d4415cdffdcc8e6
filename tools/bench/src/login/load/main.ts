import { runBenchProcess } from '../../measure/bench-process';
import { job } from '../jobs';
import { loadBurst, loadRate } from './log-ins';

runBenchProcess((input) => {
  const parsed = job.parse(input);
  return parsed.kind === 'rate' ? loadRate(parsed) : loadBurst(parsed);
});
