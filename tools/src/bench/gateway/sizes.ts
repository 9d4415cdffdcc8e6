/** How much of everything the bench does. */
export interface Sizes {
  /** How often each figure is measured; the median counts. */
  runs: number;
  warmUpMs: number;
  measuredMs: number;
  /** Calls that are under way at once. */
  connections: number;
  /** Accounts in the index, and how many notifications each of them has. */
  accounts: number;
  notificationsOfEach: number;
}

export const fullSizes: Sizes = {
  runs: 3,
  warmUpMs: 2_000,
  measuredMs: 5_000,
  connections: 32,
  accounts: 2_000,
  notificationsOfEach: 500,
};

/** Enough to see that the bench works. */
export const quickSizes: Sizes = {
  runs: 1,
  warmUpMs: 100,
  measuredMs: 300,
  connections: 4,
  accounts: 20,
  notificationsOfEach: 60,
};
