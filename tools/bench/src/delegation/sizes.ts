export interface Sizes {
  /** Runs of each figure; the median counts. */
  runs: number;
  warmUpMs: number;
  measuredMs: number;
  /**
   * How long all endpoints are requested before memory is measured; three times as long before the second measurement.
   */
  memoryRoundMs: number;
  /** Whether memory is measured in the API that all figures share, which starts fewer processes. */
  sharesApi: boolean;
  /** Connections with one request in flight each. */
  connections: number;
  /** Delegations in the database, and those to one account. */
  delegations: number;
  delegationsOfOne: number;
  /** Blocks of the chain, and operations in each that the indexer ignores. */
  blocks: number;
  otherOperations: number;
  /** The largest number of slow nodes. */
  slowNodes: number;
}

export const fullSizes: Sizes = {
  runs: 3,
  warmUpMs: 1_000,
  measuredMs: 4_000,
  memoryRoundMs: 20_000,
  sharesApi: false,
  connections: 32,
  delegations: 1_000_000,
  delegationsOfOne: 100_000,
  blocks: 9_000,
  otherOperations: 40,
  slowNodes: 4,
};

/** Enough to check that the benchmark works. */
export const quickSizes: Sizes = {
  runs: 1,
  warmUpMs: 0,
  measuredMs: 100,
  memoryRoundMs: 50,
  sharesApi: true,
  connections: 4,
  delegations: 2_000,
  delegationsOfOne: 200,
  // More than an indexer applies between two samples.
  blocks: 1_000,
  otherOperations: 3,
  slowNodes: 1,
};
