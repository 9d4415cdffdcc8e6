import { runLoadProcess } from '../../measure/load-process';
import { fetchJob } from '../jobs';
import { fetchBlocks } from './fetch-blocks';

runLoadProcess((input) => fetchBlocks(fetchJob.parse(input)));
