import { runBenchProcess } from '../../measure/bench-process';
import { fetchJob } from '../jobs';
import { fetchBlocks } from './fetch-blocks';

runBenchProcess((input) => fetchBlocks(fetchJob.parse(input)));
