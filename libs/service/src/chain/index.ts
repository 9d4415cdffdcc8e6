export { followerDatabase } from './follower-database';
export { mapHiveErrors } from './hive-errors';
export { type HiveClientObserver, logNodeChanges, observeHiveClient } from './hive-nodes';
export { observeKeyChecks } from './key-checks';
export { observeFollowers } from './observe-followers';
