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
