import { parseAccountName } from '../state/account';
import { Asset } from '../state/assets';
import { assertion } from '../errors';
import { fieldsOf, textOf } from '../fields';
import { vestsOf } from '../protocol';
import { defineOperation } from './operation';
import { pay } from './transfer';

/** Converts HIVE to VESTS, for the sender or for the account `to`. */
export const transferToVesting = defineOperation({
  name: 'transfer_to_vesting',
  parse(json) {
    const fields = fieldsOf(json);
    const value = {
      from: parseAccountName(fields['from']),
      // An empty receiver is the sender.
      to: fields['to'] === '' ? textOf(fields['to']) : parseAccountName(fields['to']),
      amount: Asset.parse(fields['amount']),
    };
    if (value.amount.symbol !== 'HIVE') throw assertion('is_asset_type( amount, HIVE_SYMBOL )', 'Amount must be HIVE');
    if (value.amount.units <= 0n) throw assertion('amount.amount > 0', 'Must transfer a nonzero amount');
    return value;
  },
  requires: ({ from }) => [{ role: 'active', account: from }],
  apply({ from, to, amount }, { state, emit }) {
    const receiver = to === '' ? from : to;
    state.getAccount(receiver);
    const received = vestsOf(amount);
    state.putAccount(pay(state.getAccount(from), amount));
    const account = state.getAccount(receiver);
    state.putAccount({ ...account, vests: account.vests.plus(received) });
    emit({
      name: 'transfer_to_vesting_completed',
      value: { from_account: from, to_account: receiver, hive_vested: amount, vesting_shares_received: received },
    });
  },
});
