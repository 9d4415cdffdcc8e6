export interface Sizes {
  /** Runs of each figure; the median counts. */
  runs: number;
  warmUpMs: number;
  measuredMs: number;
  /** Pairs of accounts; one of each pair sends. */
  pairs: number;
  /** Messages in flight of each sender. */
  inFlight: number;
  /** The rate of messages for the latency. */
  offeredPerSecond: number;
  group: { members: number; senders: number; inFlight: number };
  idleSockets: number;
  /** Whether memory is measured in the servers that all figures share, which starts fewer processes. */
  sharesServers: boolean;
  /**
   * Messages of a long and a short conversation, and the pages of each that a run reads before and while it measures.
   */
  history: { long: number; short: number; warmUpPages: number; pages: number };
  /** Members who are online, and changes of reactions per second: many and few. */
  reactions: { members: number; observers: number; manyPerSecond: number; fewPerSecond: number };
  /** An account with many conversations, one with few, and the requests of a run. */
  largeAccount: {
    conversations: number;
    messagesEach: number;
    fewConversations: number;
    searches: number;
    counts: number;
  };
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
  sharesServers: false,
  history: { long: 1_000_000, short: 1_000, warmUpPages: 100, pages: 1_000 },
  reactions: { members: 500, observers: 5, manyPerSecond: 1_000, fewPerSecond: 100 },
  largeAccount: { conversations: 5_000, messagesEach: 600, fewConversations: 50, searches: 40, counts: 100 },
};

/** Enough to check that the benchmark works. */
export const quickSizes: Sizes = {
  runs: 1,
  warmUpMs: 0,
  measuredMs: 200,
  pairs: 2,
  inFlight: 2,
  offeredPerSecond: 200,
  group: { members: 4, senders: 2, inFlight: 2 },
  idleSockets: 20,
  sharesServers: true,
  history: { long: 500, short: 200, warmUpPages: 0, pages: 10 },
  reactions: { members: 4, observers: 2, manyPerSecond: 40, fewPerSecond: 20 },
  largeAccount: { conversations: 10, messagesEach: 50, fewConversations: 2, searches: 10, counts: 4 },
};
