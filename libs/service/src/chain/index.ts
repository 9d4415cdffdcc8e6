// Must be first: the SDK instruments modules that are loaded after it.
import '../tracing/tracing';

export { createIndexer, followerDatabase, type Indexer, indexerNodeTimeouts } from './create-indexer';
export {
  countHiveCalls,
  type HiveClientObserver,
  logNodeChanges,
  mapHiveErrors,
  observeHiveClient,
} from './hive-nodes';
export { logNodeCheck } from './node-check/log-node-check';
export { observeFollowers } from './observe-followers';
export { type IndexerTasks } from './indexer-run';
export { runIndexer } from './run-indexer';
