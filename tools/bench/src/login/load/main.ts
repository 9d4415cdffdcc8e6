import { runLoadProcess } from '../../measure/load-process';
import { job } from '../jobs';
import { loadBurst, loadRate } from './log-ins';

runLoadProcess((input) => {
  const parsed = job.parse(input);
  return parsed.kind === 'rate' ? loadRate(parsed) : loadBurst(parsed);
});
