import { Asset } from '../state/assets';
import { assertion } from '../errors';
import { fieldsOf } from '../fields';
import { hiveTime, secondsOf } from '../time';
import { accountCreated, addAccount, checkFee, parseCreatedAccount, parseNoExtensions } from './created-account';
import { delegate } from './delegate-vesting-shares';
import { defineOperation } from './operation';
import { pay } from './transfer';

/** HIVE_CREATE_ACCOUNT_DELEGATION_TIME of hived: removed VESTS return after this time at the earliest. */
const minDelegationSeconds = 30 * 24 * 60 * 60;

/**
 * Creates an account for a fee and a delegation to it. Hardfork 20 removed this from Hive; the devnet has it because
 * indexers read older blocks.
 */
export const accountCreateWithDelegation = defineOperation({
  name: 'account_create_with_delegation',
  parse(json) {
    const fields = fieldsOf(json);
    const delegation = Asset.parse(fields['delegation']);
    if (delegation.symbol !== 'VESTS') throw assertion('delegation.symbol == VESTS_SYMBOL', 'Delegation must be VESTS');
    return {
      fee: Asset.parse(fields['fee']),
      delegation,
      ...parseCreatedAccount(fields),
      extensions: parseNoExtensions(fields),
    };
  },
  requires: ({ creator }) => [{ role: 'active', account: creator }],
  apply(value, { state, now, emit }) {
    const { fee, delegation, creator, new_account_name: name } = value;
    checkFee(fee);
    addAccount(value, state, now);
    state.putAccount(pay(state.getAccount(creator), fee));
    if (delegation.units > 0n)
      delegate(state, creator, name, delegation, hiveTime(secondsOf(now) + minDelegationSeconds));
    emit(accountCreated(value, delegation));
  },
});
