import { type OperationPosition } from '@waggle/chain';

/** The effect of one operation on delegations. */
export type Step =
  /**
   * The amount is absolute, 0 removes. `isLocked`: removed VESTS return only after a period, as for the delegation with
   * which an account was created.
   */
  | {
      readonly kind: 'set';
      readonly delegator: string;
      readonly delegatee: string;
      readonly amount: bigint;
      readonly isLocked?: true;
    }
  /**
   * All outgoing delegations of the account end, and its pending returns are lost; `delegatees` had the delegations.
   */
  | { readonly kind: 'clear'; readonly delegator: string; readonly delegatees: readonly string[] }
  /** A pending return is complete. */
  | { readonly kind: 'returned'; readonly delegator: string; readonly amount: bigint };

/** A step and its position in the chain. */
export interface BlockStep {
  readonly block: number;
  readonly time: Date;
  /** The time of the previous block, which the chain uses as the current time. */
  readonly headTime: Date;
  readonly step: Step;
}

/** Collects the effects of blocks on delegations, in chain order. */
export class Steps {
  readonly all: BlockStep[] = [];

  add({ block: { number, timestamp, previousTimestamp } }: OperationPosition, step: Step): void {
    this.all.push({ block: number, time: timestamp, headTime: previousTimestamp, step });
  }
}
