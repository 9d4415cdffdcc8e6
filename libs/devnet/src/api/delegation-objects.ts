import { type Delegation, type DelegationExpiration } from '../state/delegations';

/** A delegation as database_api and condenser_api write it; amounts are `Asset`s. */
export function delegationObject({ id, delegator, delegatee, vests, minDelegationTime }: Delegation): object {
  return { id, delegator, delegatee, vesting_shares: vests, min_delegation_time: minDelegationTime };
}

/** A pending return. */
export function expirationObject({ id, delegator, vests, expiration }: DelegationExpiration): object {
  return { id, delegator, vesting_shares: vests, expiration };
}
