import { parseAccountName } from '../account';
import { Asset } from '../assets';
import { fieldsOf } from '../fields';
import { checkFee, parseNoExtensions } from './created-account';
import { defineOperation } from './operation';
import { pay } from './transfer';

/** Gets the right to create an account, for the fee or for resource credits (a fee of 0), which are not counted here. */
export const claimAccount = defineOperation({
  name: 'claim_account',
  parse(json) {
    const fields = fieldsOf(json);
    return {
      creator: parseAccountName(fields['creator']),
      fee: Asset.parse(fields['fee']),
      extensions: parseNoExtensions(fields),
    };
  },
  requires: ({ creator }) => [{ role: 'active', account: creator }],
  apply({ creator, fee }, { state }) {
    if (fee.units > 0n) checkFee(fee);
    const account = pay(state.getAccount(creator), fee);
    state.putAccount({ ...account, claimedAccounts: account.claimedAccounts + 1 });
  },
});
