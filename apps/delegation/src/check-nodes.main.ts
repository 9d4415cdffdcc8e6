import { runNodeCheck } from '@waggle/service/chain';
import { indexerProbes } from './indexer/node-probes';

runNodeCheck('delegation', indexerProbes);
