import { listOf } from '../fields';
import { type Account } from '../state/account';
import { parsePublicKey } from '../state/authority';
import { type ChainState } from '../state/state';
import { type Api, named } from './api';

export const accountByKeyApi: Api = {
  name: 'account_by_key_api',
  methods: {
    get_key_references({ view }, params) {
      return { accounts: keyReferences(view.state, named(params)['keys'] ?? []) };
    },
  },
};

/**
 * For each key, the accounts with an authority that it is a member of, by name. @throws NodeError for an invalid key
 */
export function keyReferences(state: ChainState, keys: unknown): string[][] {
  const wanted = listOf(keys).map(parsePublicKey);
  const accounts = wanted.length === 0 ? [] : [...state.accountsFrom('')];
  return wanted.map((key) => accounts.filter((account) => hasKey(account, key)).map(({ name }) => name));
}

/** Memo keys do not count (account_by_key_plugin.cpp). */
function hasKey({ owner, active, posting }: Account, wanted: string): boolean {
  return [owner, active, posting].some(({ key_auths }) => key_auths.some(([key]) => key === wanted));
}
