import { type Serialization, write } from '../dialect';
import { assertion, badCast } from '../errors';
import { accountNamesOf, flagOf, listOf, optional, textOf, textsOf } from '../fields';
import { hivePrice } from '../protocol';
import { accountsFrom, appbaseAccountObject, findAccounts } from './objects/account-objects';
import { type Api, named } from './api';
import { appbaseCommentObject } from './objects/comment-objects';
import { config, globalProperties, hardforkProperties, version } from './objects/chain-objects';
import { delegationObject, expirationObject, listDelegations, listExpirations } from './delegations';
import { feedHistory, rewardFund } from './objects/feed-and-reward-objects';
import { listLimitOf, maxListed } from './list-limit';
import { verifyAuthority } from './transaction-apis';
import { activeWitnesses, findWitness, witnessSchedule } from './objects/witness-objects';

export const databaseApi: Api = {
  name: 'database_api',
  methods: {
    find_accounts({ view }, params) {
      const names = accountNamesOf(named(params)['accounts']);
      if (names.length > maxListed) throw assertion('args.accounts.size() <= DATABASE_API_SINGLE_QUERY_LIMIT');
      return {
        accounts: findAccounts(view.state, names).map((account) => write(appbaseAccountObject(account), 'appbase')),
      };
    },

    list_accounts({ view }, params) {
      const { start, limit, order } = named(params);
      if ((optional(order, textOf) ?? 'by_name') !== 'by_name')
        throw assertion('false', 'Unknown or unsupported sort order');
      const accounts = accountsFrom(view.state, optional(start, textOf) ?? '', listLimitOf(limit));
      return { accounts: accounts.map((account) => write(appbaseAccountObject(account), 'appbase')) };
    },

    /** The comments that exist, by author and permlink, in the order of the request. */
    find_comments({ view: { state } }, params) {
      const pairs = listOf(named(params)['comments']).map(textsOf);
      if (pairs.length > maxListed) throw assertion('args.comments.size() <= DATABASE_API_SINGLE_QUERY_LIMIT');
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
        listLimitOf(limit),
      );
      return write({ delegations: found.map(delegationObject) }, 'appbase');
    },

    /** Delegations that the account has made. */
    find_vesting_delegations({ view }, params) {
      const found = view.state.delegations.by(textOf(named(params)['account'])).slice(0, maxListed);
      return write({ delegations: found.map(delegationObject) }, 'appbase');
    },

    list_vesting_delegation_expirations({ view, software }, params) {
      const { start, limit, order } = named(params);
      const found = listExpirations(
        view.state,
        software,
        optional(order, textOf) ?? 'by_expiration',
        start,
        listLimitOf(limit),
      );
      return write({ delegations: found.map(expirationObject) }, 'appbase');
    },

    find_vesting_delegation_expirations({ view }, params) {
      const found = view.state.delegations.expirationsOf(textOf(named(params)['account'])).slice(0, maxListed);
      return write({ delegations: found.map(expirationObject) }, 'appbase');
    },

    get_dynamic_global_properties: ({ view }) => write(globalProperties(view), 'appbase'),
    get_config: ({ view, software }) => config(view, software),
    get_version: ({ view, software }) => version(view, software),
    get_hardfork_properties: () => hardforkProperties(),
    get_current_price_feed: () => write(hivePrice, 'appbase'),
    get_feed_history: ({ view }) => write(feedHistory(view), 'appbase'),
    get_reward_funds: ({ view }) => write({ funds: [rewardFund(view)] }, 'appbase'),

    get_witness_schedule({ view }, params) {
      const includesFuture = optional(named(params)['include_future'], flagOf) ?? false;
      return write(witnessSchedule(view, includesFuture), 'appbase');
    },

    get_active_witnesses(_, params) {
      const witnesses = activeWitnesses();
      const includesFuture = optional(named(params)['include_future'], flagOf) ?? false;
      return { witnesses, ...(includesFuture && { future_witnesses: witnesses }) };
    },

    /** The witnesses among the accounts, in the order of the request. */
    find_witnesses({ view }, params) {
      const names = accountNamesOf(named(params)['owners'] ?? []);
      if (names.length > maxListed) throw assertion('args.owners.size() <= DATABASE_API_SINGLE_QUERY_LIMIT');
      const witnesses = names.map((name) => findWitness(view, name)).filter((witness) => witness !== undefined);
      return write({ witnesses }, 'appbase');
    },

    /** @param params.pack which form was signed; by default the one that the node prefers. */
    verify_authority(context, params) {
      const { trx, pack } = named(params);
      const serialization = optional(pack, serializationOf) ?? context.software.serializations[0];
      return { valid: verifyAuthority(context, trx, serialization) };
    },
  },
};

function serializationOf(value: unknown): Serialization {
  if (value === 'hf26' || value === 'legacy') return value;
  throw badCast('bad cast');
}
