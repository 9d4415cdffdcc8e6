import { write } from '../dialect';
import { assertion } from '../errors';
import { countOf, flagOf, optional, textOf, textsOf } from '../fields';
import { legacyAccountObject } from './account-objects';
import { accountsFrom, findAccounts } from './accounts';
import { type Api, positional } from './api';
import { annotatedTransaction, blockObject, headerObject } from './block-objects';
import { condenserContent } from './condenser-content';
import { chainProperties, config, globalProperties, version } from './chain-objects';
import { delegationObject, expirationObject } from './delegation-objects';
import { listDelegations, listExpirations } from './delegations';
import { accountHistory, positionalHistoryQuery } from './history-parameters';
import { operationObject } from './operation-objects';
import { rcAccounts } from './rc-objects';
import { getVisibleTransaction, visibleOperations } from './visible';

const maxLookup = 1000;

export const condenserApi: Api = {
  name: 'condenser_api',
  methods: {
    ...condenserContent.methods,

    get_accounts({ view }, params) {
      const [names] = positional(params, 1, 1);
      return findAccounts(view.state, textsOf(names)).map((account) => write(legacyAccountObject(account), 'legacy'));
    },

    /** As get_accounts, with null for each account that does not exist. */
    lookup_account_names({ view }, params) {
      const [names] = positional(params, 1, 1);
      return textsOf(names).map((name) => {
        const account = view.state.findAccount(name);
        return account ? write(legacyAccountObject(account), 'legacy') : null;
      });
    },

    /** Names, from the first that is not before the lower bound. */
    lookup_accounts({ view }, params) {
      const [lowerBound, limit] = positional(params, 2);
      return accountsFrom(view.state, textOf(lowerBound), limitOf(countOf(limit))).map(({ name }) => name);
    },

    get_account_count: ({ view }) => view.state.accountCount,

    /** Delegations that the account has made, from a delegatee on. */
    get_vesting_delegations({ view, software }, params) {
      const [account, from, limit] = positional(params, 2, 1);
      const start = [account, optional(from, textOf) ?? ''];
      return listDelegations(view.state, software, 'by_delegation', start, limitOf(optional(limit, countOf) ?? 100))
        .filter(({ delegator }) => delegator === account)
        .map((delegation) => write(delegationObject(delegation), 'legacy'));
    },

    /** Pending returns of the account, from a time on. */
    get_expiring_vesting_delegations({ view, software }, params) {
      const [account, after, limit] = positional(params, 2, 1);
      const start = [account, after, 0];
      return listExpirations(
        view.state,
        software,
        'by_account_expiration',
        start,
        limitOf(optional(limit, countOf) ?? 100),
      )
        .filter(({ delegator }) => delegator === account)
        .map((expiration) => write(expirationObject(expiration), 'legacy'));
    },

    get_dynamic_global_properties: ({ view }) => write(globalProperties(view), 'legacy'),
    get_chain_properties: () => write(chainProperties(), 'legacy'),
    get_config: ({ view, software }) => config(view, software),
    get_version: ({ view, software }) => version(view, software),

    /** The objects of rc_api, so with amounts in its form. */
    find_rc_accounts({ view, software }, params) {
      const [names] = positional(params, 1);
      return write(rcAccounts(view, software, names), 'appbase');
    },

    get_block({ view }, params) {
      const [number] = positional(params, 1);
      const block = view.findBlock(countOf(number));
      return block ? blockObject(block, 'legacy') : null;
    },

    get_block_header({ view }, params) {
      const [number] = positional(params, 1);
      const block = view.findBlock(countOf(number));
      return block ? headerObject(block) : null;
    },

    /** Of irreversible blocks, as all that account_history_api serves here. */
    get_ops_in_block({ view }, params) {
      const [number, onlyVirtual] = positional(params, 1, 1);
      const isOnlyVirtual = optional(onlyVirtual, flagOf) ?? false;
      return visibleOperations(view, countOf(number), isOnlyVirtual).map((operation) =>
        operationObject(operation, 'legacy'),
      );
    },

    get_transaction({ view }, params) {
      const [id] = positional(params, 1);
      const { transaction, ...inclusion } = getVisibleTransaction(view, textOf(id));
      return annotatedTransaction(inclusion, transaction, 'legacy');
    },

    get_account_history({ view, software }, params) {
      return accountHistory(view, software, params, positionalHistoryQuery).map(([sequence, operation]) => [
        sequence,
        operationObject(operation, 'legacy'),
      ]);
    },

    broadcast_transaction({ submit }, params) {
      const [transaction] = positional(params, 1);
      submit(transaction);
      return {};
    },

    /** Responds when the transaction is in a block. */
    async broadcast_transaction_synchronous({ software, submit, confirm }, params) {
      const [json] = positional(params, 1);
      const transaction = submit(json);
      const { block, index } = await confirm(transaction);
      const position = { id: transaction.id, block_num: block.number, trx_num: index };
      return { ...position, ...(software.hasRcCost && { rc_cost: 0 }), expired: false };
    },
  },
};

function limitOf(limit: number): number {
  if (limit > maxLookup) throw assertion('limit <= 1000', '');
  return limit;
}
