export interface Sizes {
  /** Runs of each figure, of which the median counts. */
  runs: number;
  /**
   * Log-ins before each measurement, until the code has been compiled. Not a time, because a busy machine handles few of them
   * per second.
   */
  warmUpLogins: number;
  measuredMs: number;
  /** Log-ins in flight. */
  concurrency: number;
  /** Accounts that log in, in turn. */
  accounts: number;
  /** Log-ins signed in advance for one run: more than any server handles. */
  signed: number;
  /** Simultaneous log-ins to one account that the service has not cached. */
  burst: number;
}

export const fullSizes: Sizes = {
  runs: 3,
  warmUpLogins: 3_000,
  measuredMs: 5_000,
  concurrency: 64,
  accounts: 100,
  signed: 40_000,
  burst: 250,
};

/** Enough to check that the benchmark works. */
export const quickSizes: Sizes = {
  runs: 1,
  warmUpLogins: 20,
  measuredMs: 100,
  concurrency: 8,
  accounts: 2,
  signed: 1_200,
  burst: 20,
};
