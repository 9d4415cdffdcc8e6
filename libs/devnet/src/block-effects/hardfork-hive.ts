import { hbd, hive, vests } from '../state/assets';
import { hiveOf } from '../protocol';
import { type BlockEffect } from './block-effect';

/** Hardfork 23 moved the funds to this account; here they are removed. */
const treasury = 'hive.fund';

/** The effect of hardfork 23 on some accounts: they lose their funds, delegations and pending returns. */
export function hardforkHive(name: string): BlockEffect {
  return ({ state, emit }) => {
    const account = state.getAccount(name);
    const delegations = state.delegations.by(name);
    for (const delegation of delegations) {
      const to = state.getAccount(delegation.delegatee);
      state.putAccount({ ...to, receivedVests: to.receivedVests.minus(delegation.vests) });
      state.delegations.remove(delegation);
    }
    for (const expiration of state.delegations.expirationsOf(name)) state.delegations.removeExpiration(expiration);
    state.putAccount({
      ...account,
      hive: hive(0),
      hbd: hbd(0),
      vests: vests(0),
      delegatedVests: vests(0),
    });
    emit({
      name: 'hardfork_hive',
      value: {
        account: name,
        treasury,
        other_affected_accounts: delegations.map(({ delegatee }) => delegatee),
        hbd_transferred: account.hbd,
        hive_transferred: account.hive,
        vests_converted: account.vests,
        total_hive_from_vests: hiveOf(account.vests),
      },
    });
  };
}
