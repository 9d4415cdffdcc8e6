/**
 * What every true answer about a chain shows: on Hive both, on some test chains neither. It is stored with the checkpoint, so
 * that a node which stops to show it is not believed after a restart.
 */
export interface ChainTraits {
  /** Block ids are hashes of the headers. */
  readonly idsAreHashes: boolean;
  /** Every block has the virtual operation `producer_reward`. */
  readonly hasProducerRewards: boolean;
}
