import { authorityOf } from '../state/authority';
import { type NamedOperation } from '../dialect';
import { fieldsOf, optional, textOf } from '../fields';
import { noAuthority, nullKey } from '../chain/genesis';
import { type CreatedAccount, parseCreatedAccount } from '../operations/created-account';
import { initMiner } from '../protocol';

/** Returns the account that an operation creates if it does not exist; undefined for other operations. */
export function accountCreatedBy({ name, value }: NamedOperation): CreatedAccount | undefined {
  const fields = fieldsOf(value);
  switch (name) {
    case 'account_create':
    case 'account_create_with_delegation':
    case 'create_claimed_account':
      return parseCreatedAccount(fields);
    case 'pow':
      return accountOf(textOf(fields['worker_account']), textOf(fieldsOf(fields['work'])['worker']));
    case 'pow2': {
      const { input } = fieldsOf(fieldsOf(fields['work'])['value']);
      return accountOf(textOf(fieldsOf(input)['worker_account']), optional(fields['new_owner_key'], textOf));
    }
    default:
      return undefined;
  }
}

/** An account with this key in every role. Without a key, no signature satisfies it. */
export function accountOf(name: string, key?: string): CreatedAccount {
  const authority = key === undefined ? noAuthority : authorityOf(key);
  return {
    creator: initMiner,
    new_account_name: name,
    owner: authority,
    active: authority,
    posting: authority,
    memo_key: key ?? nullKey,
    json_metadata: '',
  };
}
