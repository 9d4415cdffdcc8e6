import { type z } from 'zod';
import { type HiveBlock } from '../api/block-api';
import { zeroId } from '../api/block-id';
import { type VirtualOperation, type VirtualOperationsPage, virtualOperationsPage } from '../api/virtual-operations';
import { untrue } from '../api/untrue-result';
import { type ShowsProperty } from './chain-property';

/** The operation of which every block has one, naming its witness: it is asked for as proof that the others are there. */
export const proofOperation = 'producer_reward';
const proofType = `${proofOperation}_operation`;

/** Virtual operations of the first blocks of a range. */
export interface ProvenOperations extends ShowsProperty {
  /** In the order of the chain. */
  readonly operations: readonly VirtualOperation[];
  /** The number of blocks that they are all of; the others are to be asked for anew. */
  readonly completeBlocks: number;
  /** Whether rewards of producers are among them. */
  readonly showsProperty: boolean;
}

/**
 * The shape of an answer of `enum_virtual_ops` for these blocks: operations of them alone, with the block's time and the
 * ids of its transactions. Nothing in a block's id proves its virtual operations; but where a node tells of one block's
 * producer reward, each block must have its own, for the witness that made it: so a node that lacks some of the
 * blocks' operations is noticed.
 *
 * @param mustBeProven whether the rewards of producers must be told also where there is none in the answer
 */
export function provenVirtualOperations(
  blocks: readonly HiveBlock[],
  mustBeProven: boolean,
): z.ZodType<ProvenOperations> {
  const byNumber = new Map(blocks.map((block) => [block.number, block]));
  return virtualOperationsPage.transform((page, context) => {
    const completeBlocks = countComplete(blocks, page);
    const complete = blocks.slice(0, completeBlocks);
    const operations = page.operations.filter(({ block }) => block <= (complete.at(-1)?.number ?? 0));
    const showsProperty = operations.some(({ op }) => op.type === proofType);
    const contradiction =
      findContradiction(page.operations, byNumber) ??
      findOutOfOrder(page.operations) ??
      findRepeated(page.operations) ??
      // To ask again would give the same: no block of Hive has a hundredth of that.
      (completeBlocks === 0
        ? `block ${blocks[0]?.number} has more virtual operations than are told at once`
        : undefined);
    if (contradiction !== undefined) context.issues.push(untrue(page, 'contradiction', contradiction));
    const mismatch = findMismatch(page.operations, byNumber);
    if (mismatch !== undefined) context.issues.push(untrue(page, 'mismatch', mismatch));
    const lacking = mustBeProven || showsProperty ? findUnproven(complete, operations) : findNotReached(complete, page);
    if (lacking !== undefined) context.issues.push(untrue(page, 'behind', `no virtual operations of block ${lacking}`));
    return { operations, completeBlocks, showsProperty };
  });
}

/** What did not fit begins with a block of which a part may be here. */
function countComplete(blocks: readonly HiveBlock[], { isCut, nextBlock }: VirtualOperationsPage): number {
  const cutAt = isCut ? blocks.findIndex(({ number }) => number >= nextBlock) : -1;
  return cutAt < 0 ? blocks.length : cutAt;
}

function findContradiction(
  operations: readonly VirtualOperation[],
  blocks: ReadonlyMap<number, HiveBlock>,
): string | undefined {
  for (const { block: number, timestamp, op } of operations) {
    const block = blocks.get(number);
    if (!block) return `operations of block ${number} were not asked for`;
    if (timestamp.getTime() !== block.timestamp.getTime()) return `operations of block ${number} have another time`;
    if (op.type === proofType && op.value['producer'] !== block.witness)
      return `block ${number} was not made by whom its virtual operations say`;
  }
  return undefined;
}

/** No hash covers the ids of transactions, so the node that returned the block may as well be the one that is wrong. */
function findMismatch(
  operations: readonly VirtualOperation[],
  blocks: ReadonlyMap<number, HiveBlock>,
): string | undefined {
  for (const { block: number, trx_id: id } of operations)
    if (id !== zeroId && !blocks.get(number)?.transactions.some((transaction) => transaction.id === id))
      return `operations of block ${number} are of a transaction that is not in it`;
  return undefined;
}

function findOutOfOrder(operations: readonly VirtualOperation[]): string | undefined {
  const index = operations.findIndex(({ block }, place) => block < (operations[place - 1]?.block ?? 0));
  return index < 0 ? undefined : 'virtual operations are out of order';
}

/** A block has one reward of its producer, and each operation once. */
function findRepeated(operations: readonly VirtualOperation[]): string | undefined {
  const seen = new Set<string>();
  for (const { block, op, operation_id: id } of operations) {
    // A number beyond 53 bits is rounded, and may be that of its neighbour.
    const isNumbered = typeof id === 'string' ? id !== '0' : Number.isSafeInteger(id) && id !== 0;
    const key = op.type === proofType ? `reward of ${block}` : `${id}`;
    if (op.type !== proofType && !isNumbered) continue;
    if (seen.has(key)) return `block ${block} has a virtual operation twice`;
    seen.add(key);
  }
  return undefined;
}

function findUnproven(blocks: readonly HiveBlock[], operations: readonly VirtualOperation[]): number | undefined {
  const proven = new Set(operations.filter(({ op }) => op.type === proofType).map(({ block }) => block));
  return blocks.find(({ number }) => !proven.has(number))?.number;
}

/** Without proofs, what the node says of how far it has come must do. */
function findNotReached(blocks: readonly HiveBlock[], { nextBlock }: VirtualOperationsPage): number | undefined {
  return blocks.find(({ number }) => number >= nextBlock)?.number;
}
