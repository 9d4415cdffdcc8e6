import { Asset } from '../state/assets';
import { fieldsOf } from '../fields';
import { accountCreated, addAccount, checkFee, parseCreatedAccount } from './created-account';
import { defineOperation } from './operation';
import { pay } from './transfer';

/** Creates an account for a fee, which is burnt. */
export const accountCreate = defineOperation({
  name: 'account_create',
  parse(json) {
    const fields = fieldsOf(json);
    return { fee: Asset.parse(fields['fee']), ...parseCreatedAccount(fields) };
  },
  requires: ({ creator }) => [{ role: 'active', account: creator }],
  apply(value, { state, now, emit }) {
    checkFee(value.fee);
    addAccount(value, state, now);
    state.putAccount(pay(state.getAccount(value.creator), value.fee));
    emit(accountCreated(value));
  },
});
