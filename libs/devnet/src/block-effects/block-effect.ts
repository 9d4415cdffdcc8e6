import { type NamedOperation } from '../dialect';
import { type ChainState } from '../state';
import { type HiveTime } from '../time';

/** What a block does besides its transactions. */
export type BlockEffect = (context: {
  /** The state to change. */
  readonly state: ChainState;
  /** The time of the block itself. */
  readonly now: HiveTime;
  /** Tells of a virtual operation. */
  readonly emit: (operation: NamedOperation) => void;
}) => void;
