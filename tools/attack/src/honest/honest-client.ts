/** A request or message that an honest client repeats. */
export interface Operation {
  name: string;
  /** @returns how it failed, which is `limited` if the service says when to try again; undefined if it succeeded */
  run: () => Promise<string | undefined>;
}

/** A client of one service that sends the usual requests. */
export interface HonestClient {
  /** Performed in turn. */
  operations: readonly Operation[];
  /**
   * Operations that it starts in a second, whether or not the earlier ones are finished: as many as the limits of an
   * address allow, so that a 99th percentile is not one of the two slowest.
   */
  perSecond: number;
  close: () => Promise<void>;
}
