import { vests } from '../assets';
import { type NamedOperation } from '../dialect';

/** Virtual: an account has come to be. */
export function accountCreated(name: string, creator: string): NamedOperation {
  return {
    name: 'account_created',
    value: { new_account_name: name, creator, initial_vesting_shares: vests(0), initial_delegation: vests(0) },
  };
}
