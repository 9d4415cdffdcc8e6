import { type Delegation, type DelegationExpiration } from '../delegations';
import { assertion } from '../errors';
import { countOf, listOf, textOf } from '../fields';
import { type ChainState } from '../state';
import { firstOf } from './first-of';

/** Lists delegations by delegator and delegatee, from `start`, which is such a pair. */
export function listDelegations(
  { delegations }: ChainState,
  order: string,
  start: unknown,
  limit: number,
): Delegation[] {
  if (order !== 'by_delegation') throw unknownOrder();
  const [delegator, delegatee] = listOf(start);
  return firstOf(delegations.from(textOf(delegator), textOf(delegatee)), limit);
}

/** Pending returns, by `[time, id]` or by `[account, time, id]`. */
export function listExpirations(
  { delegations }: ChainState,
  order: string,
  start: unknown,
  limit: number,
): DelegationExpiration[] {
  const keys = listOf(start);
  if (order === 'by_expiration') {
    const [time, id] = keys;
    return firstOf(delegations.expirationsFrom(textOf(time), countOf(id)), limit);
  }
  if (order !== 'by_account_expiration') throw unknownOrder();
  const [account, time, id] = [textOf(keys[0]), textOf(keys[1]), countOf(keys[2])];
  const isFromStart = (one: DelegationExpiration): boolean =>
    one.delegator > account ||
    (one.delegator === account && (one.expiration > time || (one.expiration === time && one.id >= id)));
  // `expirationsFrom` returns them in the order of their times, and sorting is stable.
  return [...delegations.expirationsFrom()]
    .filter(isFromStart)
    .sort((a, b) => (a.delegator < b.delegator ? -1 : a.delegator > b.delegator ? 1 : 0))
    .slice(0, limit);
}

function unknownOrder(): Error {
  return assertion('false', 'Unknown or unsupported sort order');
}
