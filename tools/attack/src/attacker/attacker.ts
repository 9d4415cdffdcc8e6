/** What an attack has to itself in the attacker's process: its end, and counts of what happened. */
export interface Attacker {
  /** Aborted when the time is over. */
  signal: AbortSignal;
  /** The share of the allowed rate at which it goes on after its first burst; at most 1. */
  rate: number;
  /** Adds to a count of the report, such as `status 429`. */
  count: (what: string, by?: number) => void;
}
