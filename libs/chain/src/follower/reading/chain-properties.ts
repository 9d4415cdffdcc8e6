/**
 * Properties of a chain that every true response shows: on Hive both, on some test chains neither. They are stored with
 * the checkpoint, so that a node whose responses no longer show them is not trusted after a restart.
 */
export interface ChainProperties {
  /** Block ids are hashes of the headers. */
  readonly idsAreHashes: boolean;
  /** Every block has the virtual operation `producer_reward`. */
  readonly hasProducerRewards: boolean;
}
