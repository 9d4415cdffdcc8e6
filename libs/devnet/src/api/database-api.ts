import { write } from '../dialect';
import { assertion } from '../errors';
import { countOf, listOf, optional, textOf, textsOf } from '../fields';
import { appbaseAccountObject } from './account-objects';
import { accountsFrom, findAccounts } from './accounts';
import { type Api, named } from './api';
import { appbaseCommentObject } from './comment-objects';
import { config, globalProperties, hardforkProperties, version } from './chain-objects';
import { delegationObject, expirationObject } from './delegation-objects';
import { listDelegations, listExpirations } from './delegations';

/** DATABASE_API_SINGLE_QUERY_LIMIT of hived. */
const maxItems = 1000;

export const databaseApi: Api = {
  name: 'database_api',
  methods: {
    find_accounts({ view }, params) {
      const names = textsOf(named(params)['accounts']);
      if (names.length > maxItems) throw assertion('args.accounts.size() <= DATABASE_API_SINGLE_QUERY_LIMIT');
      return {
        accounts: findAccounts(view.state, names).map((account) => write(appbaseAccountObject(account), 'appbase')),
      };
    },

    list_accounts({ view }, params) {
      const { start, limit, order } = named(params);
      if ((optional(order, textOf) ?? 'by_name') !== 'by_name')
        throw assertion('false', 'Unknown or unsupported sort order');
      const accounts = accountsFrom(view.state, optional(start, textOf) ?? '', limitOf(limit));
      return { accounts: accounts.map((account) => write(appbaseAccountObject(account), 'appbase')) };
    },

    /** The comments that exist, by author and permlink, in the order of the request. */
    find_comments({ view: { state } }, params) {
      const pairs = listOf(named(params)['comments']).map(textsOf);
      if (pairs.length > maxItems) throw assertion('args.comments.size() <= DATABASE_API_SINGLE_QUERY_LIMIT');
      const comments = pairs
        .map(([author = '', permlink = '']) => state.comments.find(author, permlink))
        .filter((comment) => comment !== undefined);
      return { comments: comments.map((comment) => write(appbaseCommentObject(state, comment), 'appbase')) };
    },

    /** Delegations in the order of delegator and delegatee, from the pair `start` on. */
    list_vesting_delegations({ view, software }, params) {
      const { start, limit, order } = named(params);
      const found = listDelegations(
        view.state,
        software,
        optional(order, textOf) ?? 'by_delegation',
        start,
        limitOf(limit),
      );
      return write({ delegations: found.map(delegationObject) }, 'appbase');
    },

    /** Delegations that the account has made. */
    find_vesting_delegations({ view }, params) {
      const found = view.state.delegations.by(textOf(named(params)['account'])).slice(0, maxItems);
      return write({ delegations: found.map(delegationObject) }, 'appbase');
    },

    list_vesting_delegation_expirations({ view, software }, params) {
      const { start, limit, order } = named(params);
      const found = listExpirations(
        view.state,
        software,
        optional(order, textOf) ?? 'by_expiration',
        start,
        limitOf(limit),
      );
      return write({ delegations: found.map(expirationObject) }, 'appbase');
    },

    find_vesting_delegation_expirations({ view }, params) {
      const found = view.state.delegations.expirationsOf(textOf(named(params)['account'])).slice(0, maxItems);
      return write({ delegations: found.map(expirationObject) }, 'appbase');
    },

    get_dynamic_global_properties: ({ view }) => write(globalProperties(view), 'appbase'),
    get_config: ({ view, software }) => config(view, software),
    get_version: ({ view, software }) => version(view, software),
    get_hardfork_properties: () => hardforkProperties(),
  },
};

function limitOf(value: unknown): number {
  const limit = countOf(value);
  if (limit >= 1 && limit <= maxItems) return limit;
  throw assertion('0 < args.limit && args.limit <= DATABASE_API_SINGLE_QUERY_LIMIT', 'limit not set or too big');
}
