import { type CatchUpSizes } from '../catch-up/catch-up-bench';

/** How much of everything the bench does. */
export interface Sizes {
  /** How often each figure is measured, besides once to warm up; the median counts. */
  runs: number;
  warmUpMs: number;
  measuredMs: number;
  /** Calls that are under way at once. */
  connections: number;
  /** Accounts in the index, and how many notifications each of them has. */
  accounts: number;
  notificationsOfEach: number;
  catchUp: CatchUpSizes;
  /** Streams of which the memory is measured, and how often. */
  idleStreams: number;
  memoryRuns: number;
  /** Streams of which the delay is measured, and the blocks that are committed meanwhile. */
  liveStreams: number;
  blocks: number;
}

export const fullSizes: Sizes = {
  // Many short ones: the speed of a machine that is shared swings by a third within a minute.
  runs: 9,
  warmUpMs: 400,
  measuredMs: 1_500,
  connections: 32,
  accounts: 2_000,
  notificationsOfEach: 500,
  catchUp: { runs: 3, blocks: 6_000, otherOperations: 33 },
  idleStreams: 10_000,
  memoryRuns: 3,
  liveStreams: 1_000,
  blocks: 300,
};

/** Enough to see that the bench works. */
export const quickSizes: Sizes = {
  runs: 1,
  warmUpMs: 100,
  measuredMs: 300,
  connections: 4,
  accounts: 20,
  notificationsOfEach: 60,
  catchUp: { runs: 1, blocks: 1_000, otherOperations: 3 },
  idleStreams: 200,
  memoryRuns: 1,
  liveStreams: 20,
  blocks: 10,
};
