import { type Account } from '../state/account';
import { type ChainState } from '../state/state';
import { firstOf } from './first-of';

/** The named accounts that exist, in the order of the request. */
export function findAccounts(state: ChainState, names: readonly string[]): Account[] {
  return names.map((name) => state.findAccount(name)).filter((account) => account !== undefined);
}

/** Accounts by name, from the first that is not before `start`. */
export function accountsFrom(state: ChainState, start: string, limit: number): Account[] {
  return firstOf(state.accountsFrom(start), limit);
}
