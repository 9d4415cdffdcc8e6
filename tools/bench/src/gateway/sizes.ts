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
};
