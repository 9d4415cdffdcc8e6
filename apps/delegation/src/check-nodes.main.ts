import { runNodeCheck } from '@waggle/service/node-check';
import { indexerProbes } from './indexer/node-probes';

/** Checks which of the methods that the indexer calls are served by the given nodes. */
runNodeCheck('delegation', indexerProbes);
