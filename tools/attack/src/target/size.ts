/** How much an attack does. */
export interface Size {
  /** Smaller tables, for the short form. */
  isQuick: boolean;
  /** How long the attacker works, in seconds. */
  seconds: number;
  /** The rate of the attacker after its first burst, as a share of the allowed rate. */
  rate: number;
}
