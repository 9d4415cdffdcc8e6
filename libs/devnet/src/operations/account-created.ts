import { type Asset, vests } from '../assets';
import { type NamedOperation } from '../dialect';
import { type CreatedAccount } from './created-account';

/** Virtual: an account has come to be. */
export function accountCreated(
  { new_account_name, creator }: CreatedAccount,
  initialDelegation: Asset = vests(0),
): NamedOperation {
  return {
    name: 'account_created',
    value: { new_account_name, creator, initial_vesting_shares: vests(0), initial_delegation: initialDelegation },
  };
}
