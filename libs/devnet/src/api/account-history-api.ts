import { type ChainView } from '../chain/chain-view';
import { assertion } from '../errors';
import { countOf, type Fields, flagOf, optional, textOf, uint64Of } from '../fields';
import { type Api, named } from './api';
import { annotatedTransaction } from './objects/block-objects';
import { enumVirtualOpsOfHafah, enumVirtualOpsOfHived, type VirtualOpsQuery } from './enum-virtual-ops';
import { accountHistory, namedHistoryQuery } from './history-parameters';
import { type LocatedOperation, operationObject } from './objects/operation-objects';
import { getVisibleTransaction, visibleOperations } from './visible';

/** Limits of hived's account_history_rocksdb plugin. */
const maxBlockRange = 2000;
const maxOperations = 150_000;

export const accountHistoryApi: Api = {
  name: 'account_history_api',
  methods: {
    get_ops_in_block({ view }, params) {
      const fields = named(params);
      const onlyVirtual = optional(fields['only_virtual'], flagOf) ?? false;
      const includesReversible = optional(fields['include_reversible'], flagOf);
      const operations = visibleOperations(view, countOf(fields['block_num']), onlyVirtual, includesReversible);
      return { ops: operations.map((operation) => operationObject(operation, 'appbase')) };
    },

    get_transaction({ view }, params) {
      const { id, include_reversible } = named(params);
      const { transaction, ...inclusion } = getVisibleTransaction(
        view,
        textOf(id),
        optional(include_reversible, flagOf),
      );
      return annotatedTransaction(inclusion, transaction, 'appbase');
    },

    get_account_history({ view, software }, params) {
      const entries = accountHistory(view, software, params, namedHistoryQuery);
      return { history: entries.map(([sequence, operation]) => [sequence, operationObject(operation, 'appbase')]) };
    },

    /** Virtual operations of the blocks from `block_range_begin` up to, not including, `block_range_end`. */
    enum_virtual_ops({ view, software }, params) {
      const fields = named(params);
      const query = readQuery(fields);
      const isGrouped = optional(fields['group_by_block'], flagOf) ?? false;
      const enumerate = software.accountHistory === 'hafah' ? enumVirtualOpsOfHafah : enumVirtualOpsOfHived;
      const { operations, next } = enumerate(view, software, query);
      return {
        ops: isGrouped ? [] : operations.map((operation) => operationObject(operation, 'appbase', operation.id)),
        ops_by_block: isGrouped ? byBlock(operations, view) : [],
        next_block_range_begin: next.block,
        next_operation_begin: next.operation === 0n ? 0 : String(next.operation),
      };
    },
  },
};

function readQuery(fields: Fields): VirtualOpsQuery {
  const begin = countOf(fields['block_range_begin']);
  const end = countOf(fields['block_range_end']);
  const limit = optional(fields['limit'], countOf) ?? maxOperations;
  if (end <= begin) throw assertion('blockRangeEnd > blockRangeBegin', 'Block range must be upward');
  if (end - begin > maxBlockRange) {
    throw assertion(
      'blockRangeEnd - blockRangeBegin <= 2000',
      'Block range distance must be less than or equal to 2000',
    );
  }
  if (limit < 1 || limit > maxOperations) {
    throw assertion('limit <= 150000', 'limit of ${l} is greater than maxmimum allowed', { l: limit });
  }
  return {
    begin,
    end,
    limit,
    firstOperation: optional(fields['operation_begin'], uint64Of) ?? 0n,
    filter: optional(fields['filter'], uint64Of),
    includeReversible: optional(fields['include_reversible'], flagOf) ?? false,
  };
}

function byBlock(operations: readonly LocatedOperation[], view: ChainView): object[] {
  const blocks = [...new Set(operations.map(({ block }) => block))];
  return blocks.map((block) => ({
    block: block.number,
    irreversible: block.number <= view.lastIrreversible,
    timestamp: block.timestamp,
    ops: operations
      .filter((operation) => operation.block === block)
      .map((operation) => operationObject(operation, 'appbase', operation.id)),
  }));
}
