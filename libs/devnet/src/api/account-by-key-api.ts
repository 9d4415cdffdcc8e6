import { type Api, named } from './api';
import { keyReferences } from './key-references';

export const accountByKeyApi: Api = {
  name: 'account_by_key_api',
  methods: {
    get_key_references({ view }, params) {
      return { accounts: keyReferences(view.state, named(params)['keys'] ?? []) };
    },
  },
};
