/** How much an attack does. */
export interface Size {
  /** Smaller tables, for the short form. */
  isQuick: boolean;
  /** How long the attacker works, in seconds. */
  seconds: number;
  /** The share of the allowed rate at which the attacker sends after its first burst. */
  rate: number;
}
