import { write } from '../dialect';
import { assertion } from '../errors';
import { accountNameOf, accountNamesOf, countOf, flagOf, optional, textOf } from '../fields';
import { hardforkVersion, hivePrice } from '../protocol';
import { packTransaction } from '../chain/transaction';
import { keyReferences } from './account-by-key-api';
import { accountsFrom, findAccounts, legacyAccountObject } from './objects/account-objects';
import { type Api, positional } from './api';
import { annotatedTransaction, blockObject, headerObject } from './objects/block-objects';
import { condenserContent } from './social/condenser-content';
import { chainProperties, config, globalProperties, version } from './objects/chain-objects';
import { delegationObject, expirationObject, listDelegations, listExpirations } from './delegations';
import { accountHistory, positionalHistoryQuery } from './history-parameters';
import { feedHistory, rewardFund, rewardFundName } from './objects/feed-and-reward-objects';
import { operationObject } from './objects/operation-objects';
import { listLimitOf } from './list-limit';
import { rcAccounts } from './rc-api';
import { verifyAuthority } from './transaction-apis';
import { getVisibleTransaction, visibleOperations } from './visible';
import { activeWitnesses, findWitness, witnessesByVote, witnessSchedule } from './objects/witness-objects';

const maxLookup = 1000;
const moreThanOne = { condition: 'args.size() <= 1', expected: 'at most 1 argument' };

export const condenserApi: Api = {
  name: 'condenser_api',
  methods: {
    ...condenserContent.methods,

    get_accounts({ view }, params) {
      const [names] = positional(params, 1, 1);
      return findAccounts(view.state, accountNamesOf(names)).map((account) =>
        write(legacyAccountObject(account), 'legacy'),
      );
    },

    /** As get_accounts, with null for each account that does not exist. */
    lookup_account_names({ view }, params) {
      const [names] = positional(params, 1, 1);
      return accountNamesOf(names).map((name) => {
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

    get_hardfork_version: () => hardforkVersion,
    get_current_median_history_price: () => write(hivePrice, 'legacy'),
    get_feed_history: ({ view }) => write(feedHistory(view), 'legacy'),

    get_reward_fund({ view }, params) {
      const [name] = positional(params, 1);
      if (name !== rewardFundName) throw assertion('fund != nullptr', 'Invalid reward fund name');
      return write(rewardFund(view), 'legacy');
    },

    get_witness_schedule({ view }, params) {
      const [includesFuture] = positional(params, 0, 1, moreThanOne);
      return write(witnessSchedule(view, optional(includesFuture, flagOf) ?? false), 'legacy');
    },

    /** If witnesses of the next round are included, an empty entry separates both rounds. */
    get_active_witnesses(_, params) {
      const [includesFuture] = positional(params, 0, 1, moreThanOne);
      const names = activeWitnesses();
      return optional(includesFuture, flagOf) === true ? [...names, '', ...names] : names;
    },

    get_witness_by_account({ view }, params) {
      const [name] = positional(params, 1);
      const witness = findWitness(view, accountNameOf(name));
      return witness ? write(witness, 'legacy') : null;
    },

    get_witnesses_by_vote({ view }, params) {
      const [start, limit] = positional(params, 2);
      return write(witnessesByVote(view, accountNameOf(start), listLimitOf(limit)), 'legacy');
    },

    get_key_references({ view }, params) {
      const [keys] = positional(params, 1);
      return keyReferences(view.state, keys);
    },

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

    /** Returns the operations of irreversible blocks only, like everything that account_history_api serves here. */
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

    get_transaction_hex({ view, software }, params) {
      const [transaction] = positional(params, 1);
      return packTransaction(transaction, view.chainId, software.serializations[0]).toString('hex');
    },

    verify_authority(context, params) {
      const [transaction] = positional(params, 1);
      return verifyAuthority(context, transaction, context.software.serializations[0]);
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
