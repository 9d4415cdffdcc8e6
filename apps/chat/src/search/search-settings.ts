export interface SearchSettings {
  /** Whether messages are indexed and can be searched. */
  readonly isOn: boolean;
  /** The part of the time of one connection that indexing takes while there is much to index, in percent. */
  readonly indexPercent: number;
}

/** Injects the `SearchSettings`. */
export const SEARCH_SETTINGS = Symbol('SearchSettings');
