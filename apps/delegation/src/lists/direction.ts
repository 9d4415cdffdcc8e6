/** Incoming or outgoing delegations of an account. */
export type Direction = 'in' | 'out';

/** The column of the requested account, and the column of the other side. */
export const columnsOf = {
  in: { own: 'delegatee', other: 'delegator' },
  out: { own: 'delegator', other: 'delegatee' },
} as const satisfies Record<Direction, object>;

/** Delegator and delegatee, from the requested account and the other side. */
export function sidesOf(direction: Direction, own: string, other: string): { delegator: string; delegatee: string } {
  return direction === 'in' ? { delegator: other, delegatee: own } : { delegator: own, delegatee: other };
}
