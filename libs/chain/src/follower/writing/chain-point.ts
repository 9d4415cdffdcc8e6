import { zeroId } from '../../api/block-id';

/** A block that was applied, as what comes after it must know it. */
export interface ChainPoint {
  readonly number: number;
  readonly id: string;
  /** Undefined before the first block. */
  readonly timestamp: Date | undefined;
}

/** Before the first block. */
export const beforeFirstBlock: ChainPoint = { number: 0, id: zeroId, timestamp: undefined };
