/** How much of everything a bench does. */
export interface Sizes {
  /** How often each figure is measured; the median counts. */
  runs: number;
  warmUpMs: number;
  measuredMs: number;
  /** How long all endpoints are requested before the memory is read; three times as long before it is read again. */
  memoryRoundMs: number;
  /** Requests that are under way at once. */
  connections: number;
  /** Delegations in the database, and how many of them one account is given. */
  delegations: number;
  delegationsOfOne: number;
  /** Blocks of the chain that is caught up with, and what one holds of other operations. */
  blocks: number;
  otherOperations: number;
}

export const fullSizes: Sizes = {
  runs: 3,
  warmUpMs: 1_000,
  measuredMs: 4_000,
  memoryRoundMs: 20_000,
  connections: 32,
  delegations: 1_000_000,
  delegationsOfOne: 100_000,
  blocks: 9_000,
  otherOperations: 40,
};

/** Enough to see that the bench works. */
export const quickSizes: Sizes = {
  runs: 1,
  warmUpMs: 100,
  measuredMs: 300,
  memoryRoundMs: 300,
  connections: 4,
  delegations: 2_000,
  delegationsOfOne: 200,
  // More than an indexer takes in between two looks at it.
  blocks: 1_000,
  otherOperations: 3,
};
