import { type Account, parseAccountName } from '../state/account';
import { type Authority, parseAuthority, parsePublicKey } from '../state/authority';
import { fieldsOf, optional, textOf } from '../fields';
import { type HiveTime } from '../time';
import { type ChainState } from '../state/state';
import { defineOperation } from './operation';

/** Replaces authorities, the memo key or the metadata of an account. */
export const accountUpdate = defineOperation({
  name: 'account_update',
  parse(json) {
    const fields = fieldsOf(json);
    return {
      account: parseAccountName(fields['account']),
      ...newAuthorities(fields),
      memo_key: parsePublicKey(fields['memo_key']),
      json_metadata: textOf(fields['json_metadata']),
    };
  },
  requires: ({ account, owner }) => [{ role: owner ? 'owner' : 'active', account }],
  apply(value, { state, now }) {
    const account = withAuthorities(state.getAccount(value.account), value, state, now);
    state.putAccount({
      ...account,
      memoKey: value.memo_key,
      jsonMetadata: value.json_metadata === '' ? account.jsonMetadata : value.json_metadata,
    });
  },
});

interface NewAuthorities {
  readonly owner?: Authority;
  readonly active?: Authority;
  readonly posting?: Authority;
}

/** The authorities that an update changes. */
export function newAuthorities(fields: Readonly<Record<string, unknown>>): NewAuthorities {
  const owner = optional(fields['owner'], parseAuthority);
  const active = optional(fields['active'], parseAuthority);
  const posting = optional(fields['posting'], parseAuthority);
  return { ...(owner && { owner }), ...(active && { active }), ...(posting && { posting }) };
}

/** The account with its new authorities, and the times of the change. */
export function withAuthorities(account: Account, changes: NewAuthorities, state: ChainState, now: HiveTime): Account {
  const { owner, active, posting } = changes;
  for (const authority of [owner, active, posting]) if (authority) state.checkAuthority(authority);
  return {
    ...account,
    owner: owner ?? account.owner,
    active: active ?? account.active,
    posting: posting ?? account.posting,
    previousOwnerUpdate: owner ? account.lastOwnerUpdate : account.previousOwnerUpdate,
    lastOwnerUpdate: owner ? now : account.lastOwnerUpdate,
    lastAccountUpdate: now,
  };
}
