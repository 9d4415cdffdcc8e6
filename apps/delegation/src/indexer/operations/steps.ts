import { type OperationPlace } from '@waggle/chain';

/** What one operation does to delegations. */
export type Step =
  /** The amount is absolute, 0 removes. `isKept`: not given back for a while, as for an account that was created so. */
  | {
      readonly kind: 'set';
      readonly delegator: string;
      readonly delegatee: string;
      readonly amount: bigint;
      readonly isKept?: true;
    }
  /** Everything that the account delegates ends, and what it would get back is gone; `delegatees` are who lost by it. */
  | { readonly kind: 'clear'; readonly delegator: string; readonly delegatees: readonly string[] }
  /** The account has back what it once delegated. */
  | { readonly kind: 'returned'; readonly delegator: string; readonly amount: bigint };

/** A step, and where in the chain it stands. */
export interface PlacedStep {
  readonly block: number;
  readonly time: Date;
  /** The time of the block before, by which the chain dates what an operation begins. */
  readonly headTime: Date;
  readonly step: Step;
}

/** What blocks do to delegations, in the order of the chain: the operations' handlers note it here. */
export class Steps {
  readonly placed: PlacedStep[] = [];

  add({ block: { number, timestamp, previousTimestamp } }: OperationPlace, step: Step): void {
    this.placed.push({ block: number, time: timestamp, headTime: previousTimestamp, step });
  }
}
