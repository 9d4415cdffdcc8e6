import { type BlockEffect } from './block-effect';

/** Completes pending returns that are due. */
export const returnDelegations: BlockEffect = ({ state, now, emit }) => {
  for (const expiration of state.delegations.expirationsFrom()) {
    if (expiration.expiration >= now) break;
    const { delegator, vests } = expiration;
    const account = state.getAccount(delegator);
    state.putAccount({ ...account, delegatedVests: account.delegatedVests.minus(vests) });
    state.delegations.removeExpiration(expiration);
    emit({ name: 'return_vesting_delegation', value: { account: delegator, vesting_shares: vests } });
  }
};
