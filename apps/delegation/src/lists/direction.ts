/** Whose delegations: those that an account is given, or those that it gives. */
export type Direction = 'in' | 'out';

/** The column that holds the account that is asked about, and the one that holds the other side. */
export const columnsOf = {
  in: { own: 'delegatee', other: 'delegator' },
  out: { own: 'delegator', other: 'delegatee' },
} as const satisfies Record<Direction, object>;

/** Who gives and who receives, from the account that is asked about and the other side. */
export function sidesOf(direction: Direction, own: string, other: string) {
  return direction === 'in' ? { delegator: other, delegatee: own } : { delegator: own, delegatee: other };
}
