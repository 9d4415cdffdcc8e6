import { type Asset, vests } from '../state/assets';
import { type NamedOperation } from '../dialect';
import { type CreatedAccount } from './created-account';

/** The virtual operation that reports a new account. */
export function accountCreated(
  { new_account_name, creator }: CreatedAccount,
  initialDelegation: Asset = vests(0),
): NamedOperation {
  return {
    name: 'account_created',
    value: { new_account_name, creator, initial_vesting_shares: vests(0), initial_delegation: initialDelegation },
  };
}
