import { runBenchProcess } from '../../measure/bench-process';
import { readsJob } from '../jobs';
import { loadReads } from './reads';

runBenchProcess((input) => loadReads(readsJob.parse(input)));
