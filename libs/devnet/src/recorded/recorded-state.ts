import { Asset } from '../state/assets';
import { type NamedOperation } from '../dialect';
import { badCast } from '../errors';
import { type Fields, fieldsOf, textOf } from '../fields';
import { createdAccount } from '../operations/created-account';
import { delegationReturnSeconds } from '../protocol';
import { type ChainState } from '../state/state';
import { type HiveTime, hiveTime, secondsOf } from '../time';
import { accountCreatedBy } from './created-accounts';

const daySeconds = 24 * 60 * 60;
/** Before it, removed VESTS returned after seven days. */
const hardfork20: HiveTime = '2018-09-25T15:00:00';
/** Time that VESTS stay delegated to a new account (HIVE_CREATE_ACCOUNT_DELEGATION_TIME of hived). */
const creationDelegationSeconds = 30 * daySeconds;

/** Changes a state by the fields of an operation. */
type Change = (state: ChainState, fields: Fields, now: HiveTime) => void;

const changes = new Map<string, Change>([
  [
    'account_create_with_delegation',
    (state, { creator, new_account_name: name, delegation }, now) => {
      const vests = assetOf(delegation);
      const minDelegationTime = later(now, creationDelegationSeconds);
      const added = { delegator: textOf(creator), delegatee: textOf(name), vests, minDelegationTime };
      if (vests.units > 0n) state.delegations.add(added);
    },
  ],
  [
    'delegate_vesting_shares',
    ({ delegations }, { delegator: from, delegatee: to, vesting_shares }, now) => {
      const [delegator, delegatee, vests] = [textOf(from), textOf(to), assetOf(vesting_shares)];
      const before = delegations.find(delegator, delegatee);
      const usual = later(now, now < hardfork20 ? 7 * daySeconds : delegationReturnSeconds);
      if (before && vests.units < before.vests.units) {
        const expiration = before.minDelegationTime > usual ? before.minDelegationTime : usual;
        delegations.addExpiration({ delegator, vests: before.vests.minus(vests), expiration });
      }
      if (before && vests.units > 0n) delegations.put({ ...before, vests });
      else if (before) delegations.remove(before);
      else if (vests.units > 0n) delegations.add({ delegator, delegatee, vests, minDelegationTime: now });
    },
  ],
  [
    'return_vesting_delegation',
    ({ delegations }, { account, vesting_shares }) => {
      const { units } = assetOf(vesting_shares);
      const returned = delegations.expirationsOf(textOf(account)).find(({ vests }) => vests.units === units);
      if (returned) delegations.removeExpiration(returned);
    },
  ],
  [
    'hardfork_hive',
    ({ delegations }, { account }) => {
      for (const delegation of delegations.by(textOf(account))) delegations.remove(delegation);
      for (const expiration of delegations.expirationsOf(textOf(account))) delegations.removeExpiration(expiration);
    },
  ],
]);

/**
 * Returns the state after a block: its accounts, delegations and pending returns. Balances, posts and votes are not
 * part of it.
 *
 * @param now the time of the block before
 */
export function stateAfter(before: ChainState, operations: readonly NamedOperation[], now: HiveTime): ChainState {
  const state = before.copy();
  for (const operation of operations) {
    const account = accountCreatedBy(operation);
    if (account && !state.findAccount(account.new_account_name))
      state.putAccount(createdAccount(account, state.accountCount, now));
    changes.get(operation.name)?.(state, fieldsOf(operation.value), now);
  }
  return state;
}

function assetOf(value: unknown): Asset {
  if (value instanceof Asset) return value;
  throw badCast('Cannot convert to asset');
}

function later(time: HiveTime, seconds: number): HiveTime {
  return hiveTime(secondsOf(time) + seconds);
}
