import { type NamedOperation } from '../dialect';
import { type ChainState } from '../state/state';
import { type HiveTime } from '../time';

/** An effect of a block that does not come from its transactions. */
export type BlockEffect = (context: {
  /** The state to change. */
  readonly state: ChainState;
  /** The time of the block itself. */
  readonly now: HiveTime;
  /** Emits a virtual operation. */
  readonly emit: (operation: NamedOperation) => void;
}) => void;
