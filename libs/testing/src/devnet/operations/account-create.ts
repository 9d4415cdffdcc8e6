import { parseAccountName } from '../account';
import { Asset, hbd, hive, vests } from '../assets';
import { parseAuthority, parsePublicKey } from '../authority';
import { assertion } from '../errors';
import { fieldsOf, textOf } from '../fields';
import { accountCreationFee } from '../protocol';
import { never } from '../time';
import { accountCreated } from './account-created';
import { defineOperation } from './operation';
import { pay } from './transfer';

/** Creates an account for a fee, which is burnt. */
export const accountCreate = defineOperation({
  name: 'account_create',
  parse(json) {
    const fields = fieldsOf(json);
    return {
      fee: Asset.parse(fields['fee']),
      creator: parseAccountName(fields['creator']),
      new_account_name: parseAccountName(fields['new_account_name']),
      owner: parseAuthority(fields['owner']),
      active: parseAuthority(fields['active']),
      posting: parseAuthority(fields['posting']),
      memo_key: parsePublicKey(fields['memo_key']),
      json_metadata: textOf(fields['json_metadata']),
    };
  },
  requires: ({ creator }) => [{ role: 'active', account: creator }],
  apply(value, { state, now, emit }) {
    const { creator, fee, new_account_name: name } = value;
    if (fee.legacy() !== accountCreationFee.legacy()) {
      throw assertion(
        'o.fee == wso.median_props.account_creation_fee',
        'Must pay the exact account creation fee. paid: ${p} fee: ${f}',
        {
          p: fee.legacy(),
          f: accountCreationFee.legacy(),
        },
      );
    }
    if (state.findAccount(name)) {
      throw assertion('find_account( name ) == nullptr', 'Account ${name} already exists.', { name });
    }
    for (const authority of [value.owner, value.active, value.posting]) state.checkAuthority(authority);
    state.putAccount(pay(state.getAccount(creator), fee));
    state.putAccount({
      id: state.accountCount,
      name,
      owner: value.owner,
      active: value.active,
      posting: value.posting,
      memoKey: value.memo_key,
      jsonMetadata: value.json_metadata,
      postingJsonMetadata: '',
      recoveryAccount: creator,
      created: now,
      previousOwnerUpdate: never,
      lastOwnerUpdate: never,
      lastAccountUpdate: never,
      hive: hive(0),
      hbd: hbd(0),
      vests: vests(0),
    });
    emit(accountCreated(name, creator));
  },
});
