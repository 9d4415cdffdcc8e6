import { type Delegation, type DelegationExpiration } from '../state/delegations';
import { assertion } from '../errors';
import { countOf, listOf, textOf } from '../fields';
import { type NodeSoftware } from '../software';
import { type ChainState } from '../state/state';
import { firstOf } from './list-limit';

/**
 * Lists delegations by delegator and delegatee, from `start`, which is such a pair.
 *
 * @throws NodeError as hived since 1.26, if an account of the pair does not exist; the delegatee may be empty
 */
export function listDelegations(
  state: ChainState,
  { hasDelegationsById }: NodeSoftware,
  order: string,
  start: unknown,
  limit: number,
): Delegation[] {
  if (order !== 'by_delegation') throw unknownOrder();
  const [delegator, delegatee] = listOf(start).map(textOf);
  if (!hasDelegationsById) return firstOf(state.delegations.from(delegator, delegatee), limit);
  const idsOf = (pair: { delegator: string; delegatee: string }) =>
    [idOf(state, pair.delegator), idOf(state, pair.delegatee)] as const;
  const [from, to] = [idOf(state, delegator), idOrZero(state, delegatee)];
  return [...state.delegations.from()]
    .map((delegation) => ({ delegation, ids: idsOf(delegation) }))
    .filter(({ ids: [first, second] }) => first > from || (first === from && second >= to))
    .sort(({ ids: one }, { ids: other }) => one[0] - other[0] || one[1] - other[1])
    .slice(0, limit)
    .map(({ delegation }) => delegation);
}

/**
 * Pending returns, by `[time, id]` or by `[account, time, id]`.
 *
 * @throws NodeError as hived since 1.26, if an account of `by_account_expiration` that is not empty does not exist
 */
export function listExpirations(
  state: ChainState,
  { hasDelegationsById }: NodeSoftware,
  order: string,
  start: unknown,
  limit: number,
): DelegationExpiration[] {
  const keys = listOf(start);
  if (order === 'by_expiration') {
    const [time, id] = keys;
    return firstOf(state.delegations.expirationsFrom(textOf(time), countOf(id)), limit);
  }
  if (order !== 'by_account_expiration') throw unknownOrder();
  const [account, time, id] = [textOf(keys[0]), textOf(keys[1]), countOf(keys[2])];
  // hived since 1.26 orders by the ids of accounts, before by their names.
  const rankOf = (name: string) => (hasDelegationsById ? idOrZero(state, name) : name);
  const first = rankOf(account);
  const isFromStart = (one: DelegationExpiration): boolean => {
    const rank = rankOf(one.delegator);
    if (rank !== first) return rank > first;
    return one.expiration > time || (one.expiration === time && one.id >= id);
  };
  // `expirationsFrom` returns them in the order of their times, and sorting is stable.
  return [...state.delegations.expirationsFrom()]
    .filter(isFromStart)
    .sort((one, other) => compare(rankOf(one.delegator), rankOf(other.delegator)))
    .slice(0, limit);
}

function idOf(state: ChainState, name = ''): number {
  const account = state.findAccount(name);
  if (account === undefined) throw assertion('account != nullptr', 'Given account does not exist.');
  return account.id;
}

/** The id of an account; 0, before all ids, for the empty name. @throws NodeError if there is no such account */
function idOrZero(state: ChainState, name: string | undefined): number {
  return name === '' ? 0 : idOf(state, name);
}

function compare(one: number | string, other: number | string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function unknownOrder(): Error {
  return assertion('false', 'Unknown or unsupported sort order');
}

/** A delegation as database_api and condenser_api write it; amounts are `Asset`s. */
export function delegationObject({ id, delegator, delegatee, vests, minDelegationTime }: Delegation): object {
  return { id, delegator, delegatee, vesting_shares: vests, min_delegation_time: minDelegationTime };
}

/** A pending return. */
export function expirationObject({ id, delegator, vests, expiration }: DelegationExpiration): object {
  return { id, delegator, vesting_shares: vests, expiration };
}
