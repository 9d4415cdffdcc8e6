import { type CatchUpSizes } from '../catch-up/catch-up-bench';

export interface Sizes {
  /** Runs of each figure; the median counts. If there are several, a warm-up run precedes them. */
  runs: number;
  warmUpMs: number;
  measuredMs: number;
  /** Connections with one call in flight each. */
  connections: number;
  /** Accounts in the index, and notifications of each. */
  accounts: number;
  notificationsOfEach: number;
  /** Posts in the index of `posts`; a tenth as many accounts, ten times as many votes. */
  posts: number;
  /** Runs of each of its many calls. */
  postRuns: number;
  catchUp: CatchUpSizes;
  /** Streams and runs of `event-memory`. */
  idleStreams: number;
  memoryRuns: number;
  /** Whether memory is measured in the gateway that all figures share, which starts fewer processes. */
  sharesGateway: boolean;
  /** Streams and committed blocks of `event-delay`. */
  liveStreams: number;
  blocks: number;
}

export const fullSizes: Sizes = {
  // Many short runs: the speed of a shared machine varies by a third within a minute.
  runs: 9,
  warmUpMs: 400,
  measuredMs: 1_500,
  connections: 32,
  accounts: 2_000,
  notificationsOfEach: 500,
  posts: 1_000_000,
  postRuns: 3,
  catchUp: { runs: 3, blocks: 6_000, otherOperations: 33, slowNodes: 4 },
  idleStreams: 10_000,
  memoryRuns: 3,
  sharesGateway: false,
  liveStreams: 1_000,
  blocks: 300,
};

/** Enough to check that the benchmark works. */
export const quickSizes: Sizes = {
  runs: 1,
  warmUpMs: 0,
  measuredMs: 150,
  connections: 4,
  accounts: 20,
  notificationsOfEach: 60,
  posts: 20_000,
  postRuns: 1,
  catchUp: { runs: 1, blocks: 640, otherOperations: 3, slowNodes: 1 },
  idleStreams: 40,
  memoryRuns: 1,
  sharesGateway: true,
  liveStreams: 20,
  blocks: 5,
};
