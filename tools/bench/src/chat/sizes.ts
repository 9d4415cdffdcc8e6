/** How much of everything a bench does. */
export interface Sizes {
  /** How often each figure is measured; the median counts. */
  runs: number;
  warmUpMs: number;
  measuredMs: number;
  /** Of accounts that write to one another: one of the two sends. */
  pairs: number;
  /** Messages that a sender has under way at once. */
  inFlight: number;
  /** Messages a second that are offered for the latency. */
  offeredPerSecond: number;
  group: { members: number; senders: number; inFlight: number };
  idleSockets: number;
  /** Messages of the long and the short conversation whose history is read, and how many pages of each a run reads. */
  history: { long: number; short: number; pages: number };
}

export const fullSizes: Sizes = {
  runs: 3,
  // V8 compiles what is used most for so long, on the core that the others need.
  warmUpMs: 5_000,
  measuredMs: 5_000,
  pairs: 100,
  inFlight: 8,
  offeredPerSecond: 1_000,
  group: { members: 500, senders: 4, inFlight: 4 },
  idleSockets: 10_000,
  history: { long: 1_000_000, short: 1_000, pages: 1_000 },
};

/** Enough to see that the bench works. */
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
