import { z } from 'zod';
import { hiveOperation } from './block-api';
import { hiveTime } from './time';

export const enumVirtualOpsMethod = 'account_history_api.enum_virtual_ops';

/** Limit of hived for one call. */
export const maxVirtualOperations = 150_000;

/** Kinds of virtual operation in the order of their bits in the filter of `enum_virtual_ops`. */
const kindsByBit = [
  ['fill_convert_request', 'author_reward', 'curation_reward', 'comment_reward', 'liquidity_reward', 'interest'],
  ['fill_vesting_withdraw', 'fill_order', 'shutdown_witness', 'fill_transfer_from_savings', 'hardfork'],
  ['comment_payout_update', 'return_vesting_delegation', 'comment_benefactor_reward', 'producer_reward'],
  ['clear_null_account_balance', 'proposal_pay', 'dhf_funding', 'hardfork_hive', 'hardfork_hive_restore'],
  ['delayed_voting', 'consolidate_treasury_balance', 'effective_comment_vote', 'ineffective_delete_comment'],
  ['dhf_conversion', 'expired_account_notification', 'changed_recovery_account', 'transfer_to_vesting_completed'],
  ['pow_reward', 'vesting_shares_split', 'account_created', 'fill_collateralized_convert_request', 'system_warning'],
  ['fill_recurrent_transfer', 'failed_recurrent_transfer', 'limit_order_cancelled', 'producer_missed', 'proposal_fee'],
  ['collateralized_convert_immediate_conversion', 'escrow_approved', 'escrow_rejected', 'proxy_cleared'],
  ['declined_voting_rights'],
].flat();

/**
 * Creates the filter for these kinds. A number holds it exactly, since there are fewer than 53 kinds.
 *
 * @throws RangeError for an unknown name
 */
export function virtualOperationsFilter(names: Iterable<string>): number {
  let filter = 0;
  for (const name of new Set(names)) {
    const bit = kindsByBit.indexOf(name);
    if (bit < 0) throw new RangeError(`${name} is not a virtual operation`);
    filter += 2 ** bit;
  }
  return filter;
}

/** hived writes a number beyond 32 bits as text. */
const wideNumber = z.union([z.number(), z.string().regex(/^\d{1,20}$/)]).transform(Number);

const virtualOperation = z.object({
  trx_id: z.string(),
  block: z.number(),
  timestamp: hiveTime,
  op: hiveOperation,
  /** Unique on the chain; 0 if a node does not number operations. hived writes it as text beyond 32 bits. */
  operation_id: z.union([z.string(), z.number()]).optional(),
});

export type VirtualOperation = z.infer<typeof virtualOperation>;

const blockOperations = z.object({ block: z.number(), irreversible: z.boolean(), ops: z.array(virtualOperation) });

/**
 * Parameters of `enum_virtual_ops` for the blocks from `first` to `last`. Grouped by block, the response says which
 * blocks are irreversible.
 *
 * @param includesReversible true for HAfAH, which serves this method on public nodes: otherwise it leaves out the last
 * irreversible block (`hafah_backend.enum_virtual_ops`). hived before 1.26 leaves it out if this is true
 * (account_history_rocksdb_plugin.cpp)
 */
export function virtualOperationsQuery(
  first: number,
  last: number,
  { filter, includesReversible }: { readonly filter: number; readonly includesReversible: boolean },
): object {
  return {
    block_range_begin: first,
    block_range_end: last + 1,
    include_reversible: includesReversible,
    group_by_block: true,
    limit: maxVirtualOperations,
    filter,
  };
}

/** A page of virtual operations, in the order of the chain. */
export const virtualOperationsPage = z.compile(
  z
    .object({
      /** Used by hived before 1.24, which does not group by block. */
      ops: z.array(virtualOperation).default([]),
      ops_by_block: z.array(blockOperations).default([]),
      next_block_range_begin: wideNumber,
      next_operation_begin: wideNumber,
    })
    .transform((page) => ({
      operations: page.ops.concat(page.ops_by_block.flatMap(({ ops }) => ops)),
      /** The first block that the node may still undo; Infinity if there is none. */
      firstReversible: Math.min(
        ...page.ops_by_block.flatMap(({ block, irreversible }) => (irreversible ? [] : [block])),
      ),
      /** The block to continue with, in or after the range; 0 if the node knows of no later operations. */
      nextBlock: page.next_block_range_begin,
      /** Whether only a part of that block fitted. */
      isCut: page.next_operation_begin > 0,
    })),
);

export type VirtualOperationsPage = z.infer<typeof virtualOperationsPage>;
