import { runLoadProcess } from '../../measure/load-process';
import { readsJob } from '../jobs';
import { loadReads } from './reads';

runLoadProcess((input) => loadReads(readsJob.parse(input)));
