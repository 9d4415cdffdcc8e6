import { type DelegationChange } from './api';

/** What an account received or gave in total, from a time on. */
export interface Total {
  /** Seconds since 1970. */
  seconds: number;
  vests: number;
}

/**
 * The total after each change. If the history does not begin with the chain, delegations from before it are missing;
 * the current total shows how much, so that the line ends at the right amount.
 *
 * @param changes the oldest first
 * @param currentTotal undefined if later changes are missing
 */
export function runningTotals(changes: readonly DelegationChange[], currentTotal: number | undefined): Total[] {
  const amounts = new Map<string, number>();
  let sum = 0;
  const totals = changes.map(({ delegator, delegatee, amount, createdMs }) => {
    const pair = `${delegator} ${delegatee}`;
    sum += amount - (amounts.get(pair) ?? 0);
    amounts.set(pair, amount);
    return { seconds: createdMs / 1_000, vests: sum };
  });
  const missing = currentTotal === undefined ? 0 : currentTotal - sum;
  return totals.map(({ seconds, vests }) => ({ seconds, vests: Math.max(0, vests + missing) }));
}
