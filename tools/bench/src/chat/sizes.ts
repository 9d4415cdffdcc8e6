export interface Sizes {
  /** Runs of each figure, of which the median counts. */
  runs: number;
  warmUpMs: number;
  measuredMs: number;
  /** Pairs of accounts of which one sends. */
  pairs: number;
  /** Messages in flight of each sender. */
  inFlight: number;
  /** The rate of messages for the latency. */
  offeredPerSecond: number;
  group: { members: number; senders: number; inFlight: number };
  idleSockets: number;
  /** Messages of a long and a short conversation, and the pages of each that a run reads. */
  history: { long: number; short: number; pages: number };
}

export const fullSizes: Sizes = {
  runs: 3,
  // V8 compiles hot code for that long, on a core that the servers need.
  warmUpMs: 5_000,
  measuredMs: 5_000,
  pairs: 100,
  inFlight: 8,
  offeredPerSecond: 1_000,
  group: { members: 500, senders: 4, inFlight: 4 },
  idleSockets: 10_000,
  history: { long: 1_000_000, short: 1_000, pages: 1_000 },
};

/** Enough to check that the benchmark works. */
export const quickSizes: Sizes = {
  runs: 1,
  warmUpMs: 100,
  measuredMs: 400,
  pairs: 4,
  inFlight: 2,
  offeredPerSecond: 200,
  group: { members: 10, senders: 2, inFlight: 2 },
  idleSockets: 100,
  history: { long: 2_000, short: 200, pages: 20 },
};
