import { z } from 'zod';
import { type HiveApi } from './hive-api';
import { untrueIssue } from './untrue-result';
import { blockNumberOfId, zeroId } from './block-id';
import { hiveTime } from './time';

export const blockRangeMethod = 'block_api.get_block_range';

/** Limit of hived for one call. */
export const maxBlocksPerRange = 1_000;

/** Such as `{type: 'transfer_operation', value: {…}}`; the value is parsed by the handler of the type. */
export const hiveOperation = z.object({
  type: z.string(),
  // Not copied field by field, which took as long as parsing its JSON.
  value: z.custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  ),
});

/** 20 bytes in hex. Its length matters: the fields of a header are hashed one after the other, without separators. */
const hash = z.string().regex(/^[0-9a-f]{40}$/);

/** Hive packs the time of a block into an unsigned number of 32 bits, in seconds since 1970. */
const blockTime = hiveTime.refine((time) => {
  const seconds = time.getTime() / 1_000;
  return seconds >= 0 && seconds < 2 ** 32;
}, 'not a valid block time');

export const hiveBlock = z
  .object({
    block_id: hash,
    previous: hash,
    timestamp: blockTime,
    witness: z.string(),
    transaction_merkle_root: hash,
    extensions: z.array(z.unknown()),
    witness_signature: z.string(),
    transactions: z.array(z.object({ operations: z.array(hiveOperation) })),
    transaction_ids: z.array(z.string()),
  })
  .transform((block, context) => {
    /** The first four bytes of the id are the number of the block. */
    const number = blockNumberOfId(block.block_id);
    const contradiction = findBodyContradiction(number, block);
    if (contradiction !== undefined) context.issues.push(untrueIssue(block, 'contradiction', contradiction));
    return {
      number,
      id: block.block_id,
      /** Id of the block before. */
      previous: block.previous,
      timestamp: block.timestamp,
      witness: block.witness,
      /** The Merkle root of its transactions; 40 zeros if it has none. */
      merkleRoot: block.transaction_merkle_root,
      hasExtensions: block.extensions.length > 0,
      /** 65 bytes in hex. */
      witnessSignature: block.witness_signature,
      transactions: block.transaction_ids.map((id, index) => ({
        id,
        operations: block.transactions[index]?.operations ?? [],
      })),
    };
  });

interface BlockBody {
  readonly transaction_merkle_root: string;
  readonly transactions: readonly unknown[];
  readonly transaction_ids: readonly unknown[];
}

/**
 * Describes why a body cannot belong to its header, if so. The Merkle root is zero exactly for blocks without
 * transactions, on every chain, so this check does not depend on what is known of the node or the chain.
 */
function findBodyContradiction(number: number, block: BlockBody): string | undefined {
  const { transactions, transaction_ids: ids } = block;
  if (transactions.length !== ids.length)
    return `block ${number} has ${transactions.length} transactions and ${ids.length} transaction ids`;
  if (new Set(ids).size < ids.length) return `block ${number} has a transaction twice`;
  const hasRoot = block.transaction_merkle_root !== zeroId;
  if (hasRoot === transactions.length > 0) return undefined;
  return hasRoot
    ? `block ${number} has a Merkle root and no transactions`
    : `block ${number} has transactions and no Merkle root`;
}

/** The result of `blockRangeMethod`. Without any block, some versions of HAF return null. */
export const blockRange = z.compile(
  z.object({ blocks: z.array(hiveBlock).nullable() }).transform(({ blocks }) => ({ blocks: blocks ?? [] })),
);

export type HiveBlock = z.infer<typeof hiveBlock>;
export type HiveOperation = z.infer<typeof hiveOperation>;

/** Parameters of `blockRangeMethod` for `count` blocks from `first` on. */
export function blockRangeQuery(first: number, count: number): object {
  return { starting_block_num: first, count };
}

/**
 * Reads `count` (at most 1,000) blocks from `first` on, or fewer at the end of the chain, in ascending order. Does not
 * check whether blocks are missing or linked. Errors as of `HiveApi.call`.
 */
export async function getBlockRange(api: HiveApi, first: number, count: number): Promise<HiveBlock[]> {
  const { blocks } = await api.call(blockRangeMethod, blockRangeQuery(first, count), blockRange);
  return blocks;
}
