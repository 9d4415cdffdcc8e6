import { errorPositionOf, OperationError, type OperationPosition } from '@waggle/chain';
import { blockIntervalMs } from '../../block-interval';
import { type NetworkRules } from '../network-rules';
import { type Changeset } from './changeset';
import { ReadSet } from './read-set';
import { type RetentionPeriod } from './retention-period';

/**
 * How one operation changes the index. `time` is the time of the previous block: Hive dates the operations of a block
 * by it.
 */
export interface IndexUpdate {
  /** Names the rows that `apply` reads. */
  readonly declareReads: (readSet: ReadSet, time: Date) => void;
  /** Changes rows. The updates of all earlier operations are applied. */
  readonly apply: (changeset: Changeset, time: Date) => void;
}

/** The updates of a batch of blocks, in the order of the chain, as the handlers of operations add them. */
export class IndexUpdates {
  readonly readSet: ReadSet;
  private readonly updates: {
    readonly position: OperationPosition;
    readonly time: Date;
    readonly update: IndexUpdate;
  }[] = [];

  constructor(
    retention: RetentionPeriod,
    readonly rules: NetworkRules,
  ) {
    this.readSet = new ReadSet(retention);
  }

  get isEmpty(): boolean {
    return this.updates.length === 0;
  }

  add(position: OperationPosition, update: IndexUpdate): void {
    const time = previousTime(position.block);
    update.declareReads(this.readSet, time);
    this.updates.push({ position, time, update });
  }

  /** @throws OperationError for an operation that cannot be applied */
  apply(changeset: Changeset): void {
    for (const { position, time, update } of this.updates) {
      try {
        update.apply(changeset, time);
      } catch (error) {
        throw new OperationError(errorPositionOf(position), error);
      }
    }
  }
}

/**
 * Block 1 has no previous block. With its own time, which the operations of block 2 have, ids of notifications would
 * repeat.
 */
function previousTime({ number, timestamp, previousTimestamp }: OperationPosition['block']): Date {
  return number === 1 ? new Date(timestamp.getTime() - blockIntervalMs) : previousTimestamp;
}
