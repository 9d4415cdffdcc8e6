import { runNodeCheck } from '@waggle/service/node-check';
import { indexerProbes } from './indexer/node-probes';

runNodeCheck('delegation', indexerProbes);
