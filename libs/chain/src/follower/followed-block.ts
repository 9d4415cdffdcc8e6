/** One operation of an irreversible block, real or virtual, in the order of the chain. */
export interface FollowedOperation {
  /**
   * Place within the block. Real operations have theirs among all real ones of the block; the virtual ones come after
   * these, and count those only that were asked for.
   */
  readonly index: number;
  /** 40 characters of hex; undefined for what the block itself did. */
  readonly transactionId: string | undefined;
  readonly isVirtual: boolean;
  /** Such as `delegate_vesting_shares_operation`. */
  readonly type: string;
  /** As the appbase APIs write it: amounts are `{amount, precision, nai}`. */
  readonly value: Record<string, unknown>;
}

export interface FollowedBlock {
  readonly number: number;
  /** 40 characters of hex, of which the first eight are the number. */
  readonly id: string;
  /** Id of the block before. */
  readonly previous: string;
  readonly timestamp: Date;
  readonly operations: readonly FollowedOperation[];
}
