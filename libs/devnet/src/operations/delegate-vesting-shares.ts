import { parseAccountName } from '../state/account';
import { Asset } from '../state/assets';
import { type Delegation } from '../state/delegations';
import { assertion } from '../errors';
import { fieldsOf } from '../fields';
import { minDelegation, minDelegationChange } from '../protocol';
import { type ChainState } from '../state/state';
import { type HiveTime, hiveTime, secondsOf } from '../time';
import { defineOperation } from './operation';

/** Sets the amount of a delegation; 0 removes it. Removed VESTS return to the delegator after a delay. */
export const delegateVestingShares = defineOperation({
  name: 'delegate_vesting_shares',
  parse(json) {
    const fields = fieldsOf(json);
    const value = {
      delegator: parseAccountName(fields['delegator']),
      delegatee: parseAccountName(fields['delegatee']),
      vesting_shares: Asset.parse(fields['vesting_shares']),
    };
    if (value.delegator === value.delegatee) {
      throw assertion('delegator != delegatee', 'You cannot delegate VESTS to yourself');
    }
    if (value.vesting_shares.symbol !== 'VESTS') {
      throw assertion('is_asset_type( vesting_shares, VESTS_SYMBOL )', 'Delegation must be VESTS');
    }
    return value;
  },
  requires: ({ delegator }) => [{ role: 'active', account: delegator }],
  apply({ delegator, delegatee, vesting_shares: vests }, { state, now, delegationReturnSeconds }) {
    // Throws if one of them does not exist.
    state.getAccount(delegator);
    state.getAccount(delegatee);
    const delegation = state.delegations.find(delegator, delegatee);
    if (delegation && vests.units < delegation.vests.units) {
      takeBack(state, delegation, vests, hiveTime(secondsOf(now) + delegationReturnSeconds));
      return;
    }
    if (delegation) checkChange('increase', vests.minus(delegation.vests));
    else checkMinimum(vests, 'Account must delegate a minimum of ${v}');
    delegate(state, delegator, delegatee, vests, delegation?.minDelegationTime ?? now);
  },
});

/**
 * Creates a delegation, or increases it to `vests`.
 * @throws NodeError if the delegator has too few VESTS that are not delegated.
 */
export function delegate(
  state: ChainState,
  delegator: string,
  delegatee: string,
  vests: Asset,
  minDelegationTime: HiveTime,
): void {
  const existing = state.delegations.find(delegator, delegatee);
  const more = existing ? vests.minus(existing.vests) : vests;
  const from = state.getAccount(delegator);
  const free = from.vests.minus(from.delegatedVests);
  if (free.units < more.units) {
    throw assertion(
      'available_shares >= delta',
      'Account ${acc} does not have enough vesting shares to delegate. required: ${r} available: ${a}',
      { acc: delegator, r: more.legacy(), a: free.legacy() },
    );
  }
  state.putAccount({ ...from, delegatedVests: from.delegatedVests.plus(more) });
  const to = state.getAccount(delegatee);
  state.putAccount({ ...to, receivedVests: to.receivedVests.plus(more) });
  if (existing) state.delegations.put({ ...existing, vests });
  else state.delegations.add({ delegator, delegatee, vests, minDelegationTime });
}

/** Reduces a delegation to `rest`. The delegatee loses the difference at once; it returns to the delegator later. */
function takeBack(state: ChainState, delegation: Delegation, rest: Asset, earliest: HiveTime): void {
  const { delegator, delegatee, minDelegationTime } = delegation;
  const less = delegation.vests.minus(rest);
  if (rest.units > 0n) {
    checkChange('decrease', less);
    checkMinimum(rest, 'Delegation must be removed or leave minimum delegation amount of ${v}');
    state.delegations.put({ ...delegation, vests: rest });
  } else {
    state.delegations.remove(delegation);
  }
  const to = state.getAccount(delegatee);
  state.putAccount({ ...to, receivedVests: to.receivedVests.minus(less) });
  const expiration = earliest > minDelegationTime ? earliest : minDelegationTime;
  state.delegations.addExpiration({ delegator, vests: less, expiration });
}

function checkChange(kind: 'increase' | 'decrease', change: Asset): void {
  if (change.units >= minDelegationChange.units) return;
  throw assertion('delta >= min_update', `Hive Power ${kind} is not enough of a difference. min_update: \${min}`, {
    min: minDelegationChange.legacy(),
  });
}

function checkMinimum(vests: Asset, message: string): void {
  if (vests.units >= minDelegation.units) return;
  throw assertion('o.vesting_shares >= min_delegation', message, { v: minDelegation.legacy() });
}
