/** How much of everything the bench does. */
export interface Sizes {
  /** How often each figure is measured; the median counts. */
  runs: number;
  /**
   * Log-ins before each measurement. Not a time: what counts is that the code has been compiled, and a busy machine gets
   * through few of them in a second.
   */
  warmUpLogins: number;
  measuredMs: number;
  /** Log-ins under way at once. */
  atOnce: number;
  /** Accounts that log in, in turn. */
  accounts: number;
  /** Log-ins that are signed ahead for one run: more than any server takes in its time. */
  signed: number;
  /** Log-ins to one account that nobody knows yet, at the same moment. */
  burst: number;
}

export const fullSizes: Sizes = {
  runs: 3,
  warmUpLogins: 3_000,
  measuredMs: 5_000,
  atOnce: 64,
  accounts: 100,
  signed: 40_000,
  burst: 250,
};

/** Enough to see that the bench works. */
export const quickSizes: Sizes = {
  runs: 1,
  warmUpLogins: 100,
  measuredMs: 400,
  atOnce: 8,
  accounts: 5,
  signed: 4_000,
  burst: 20,
};
