/** The counts of an attacker by what happened, such as `status 429`. */
export type Counts = Record<string, number>;

/** What an attack gets from the process that runs it. */
export interface AttackContext {
  /** Aborted when the attack is over. */
  signal: AbortSignal;
  /** The rate of the attack after its first burst, as a share of the allowed rate; at most 1. */
  rate: number;
  /** Adds to a count of the report. */
  count: (what: string, by?: number) => void;
}
