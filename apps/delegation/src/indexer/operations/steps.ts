import { type OperationPosition } from '@waggle/chain';

/** The effect of one operation on delegations. */
export type Step =
  /**
   * `amount` replaces the previous amount; 0 ends the delegation. `isLocked`: the creator's delegation to a new
   * account; VESTS removed from it return no earlier than 30 days after the creation.
   */
  | {
      readonly kind: 'set';
      readonly delegator: string;
      readonly delegatee: string;
      readonly amount: bigint;
      readonly isLocked?: true;
    }
  /** All outgoing delegations (to `delegatees`) and pending returns of the account are deleted; nothing is returned. */
  | { readonly kind: 'clear'; readonly delegator: string; readonly delegatees: readonly string[] }
  /** A pending return is complete. */
  | { readonly kind: 'returned'; readonly delegator: string; readonly amount: bigint };

/** A step and its position in the chain. */
export interface BlockStep {
  readonly block: number;
  readonly time: Date;
  /** Time of the previous block. From it hived calculates when VESTS return. */
  readonly headTime: Date;
  readonly step: Step;
}

/** Collects the effects of blocks on delegations, in chain order. */
export class BlockSteps {
  readonly all: BlockStep[] = [];

  add({ block: { number, timestamp, previousTimestamp } }: OperationPosition, step: Step): void {
    this.all.push({ block: number, time: timestamp, headTime: previousTimestamp, step });
  }
}
