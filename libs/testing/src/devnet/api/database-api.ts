import { write } from '../dialect';
import { assertion } from '../errors';
import { countOf, optional, textOf, textsOf } from '../fields';
import { appbaseAccountObject } from './account-objects';
import { accountsFrom, findAccounts } from './accounts';
import { type Api, named } from './api';
import { config, globalProperties, hardforkProperties, version } from './chain-objects';

const maxAccounts = 1000;

export const databaseApi: Api = {
  name: 'database_api',
  methods: {
    find_accounts({ view }, params) {
      const names = textsOf(named(params)['accounts']);
      if (names.length > maxAccounts) throw assertion('args.accounts.size() <= DATABASE_API_SINGLE_QUERY_LIMIT');
      return {
        accounts: findAccounts(view.state, names).map((account) => write(appbaseAccountObject(account), 'appbase')),
      };
    },

    list_accounts({ view }, params) {
      const { start, limit, order } = named(params);
      const count = countOf(limit);
      if (count < 1 || count > maxAccounts)
        throw assertion('0 < args.limit && args.limit <= DATABASE_API_SINGLE_QUERY_LIMIT', 'limit not set or too big');
      if ((optional(order, textOf) ?? 'by_name') !== 'by_name')
        throw assertion('false', 'Unknown or unsupported sort order');
      const accounts = accountsFrom(view.state, optional(start, textOf) ?? '', count);
      return { accounts: accounts.map((account) => write(appbaseAccountObject(account), 'appbase')) };
    },

    get_dynamic_global_properties: ({ view }) => write(globalProperties(view), 'appbase'),
    get_config: ({ view }) => config(view),
    get_version: ({ view }) => version(view),
    get_hardfork_properties: () => hardforkProperties(),
  },
};
