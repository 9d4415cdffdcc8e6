/** What an attack has to itself in the attacker's process: its end, and counts of what happened. */
export interface Attacker {
  /** Aborted when the time is over. */
  signal: AbortSignal;
  /** Adds to a count of the report, such as `status 429`. */
  count: (what: string, by?: number) => void;
}
