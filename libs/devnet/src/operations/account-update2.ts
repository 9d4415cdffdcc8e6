import { parseAccountName } from '../state/account';
import { parsePublicKey } from '../state/authority';
import { fieldsOf, optional, textOf } from '../fields';
import { newAuthorities, withAuthorities } from './account-update';
import { defineOperation } from './operation';

/** As account_update, and the posting authority alone may change the posting metadata. */
export const accountUpdate2 = defineOperation({
  name: 'account_update2',
  parse(json) {
    const fields = fieldsOf(json);
    const memoKey = optional(fields['memo_key'], parsePublicKey);
    return {
      account: parseAccountName(fields['account']),
      ...newAuthorities(fields),
      ...(memoKey !== undefined && { memo_key: memoKey }),
      json_metadata: textOf(fields['json_metadata']),
      posting_json_metadata: textOf(fields['posting_json_metadata']),
      extensions: [],
    };
  },
  requires({ account, owner, active, posting, memo_key, json_metadata }) {
    if (owner) return [{ role: 'owner', account }];
    const needsActive = active ?? posting ?? memo_key ?? json_metadata !== '';
    return [{ role: needsActive ? 'active' : 'posting', account }];
  },
  apply(value, { state, now }) {
    const account = withAuthorities(state.getAccount(value.account), value, state, now);
    state.putAccount({
      ...account,
      memoKey: value.memo_key ?? account.memoKey,
      jsonMetadata: value.json_metadata === '' ? account.jsonMetadata : value.json_metadata,
      postingJsonMetadata:
        value.posting_json_metadata === '' ? account.postingJsonMetadata : value.posting_json_metadata,
    });
  },
});
