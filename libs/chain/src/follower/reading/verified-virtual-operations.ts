import { type z } from 'zod';
import { type HiveBlock } from '../../api/block-api';
import { zeroId } from '../../api/block-id';
import { type VirtualOperation, type VirtualOperationsPage, virtualOperationsPage } from '../../api/virtual-operations';
import { untrueIssue, type UntrueKind } from '../../api/untrue-result';
import { type ShowsProperty } from './property-detector';
import { type StorageAttempt } from './storage-delay';

/**
 * The virtual operation that every block has once, with the name of its witness. It is requested to show that the
 * operations of a block are complete.
 */
export const rewardOperation = 'producer_reward';
const rewardType = `${rewardOperation}_operation`;

/** Virtual operations of the first blocks of a range. */
export interface VerifiedOperations extends ShowsProperty {
  /** In the order of the chain. */
  readonly operations: readonly VirtualOperation[];
  /**
   * Number of blocks whose operations are complete and irreversible, at least one. The operations of the others have to
   * be requested again.
   */
  readonly completeBlocks: number;
  /** Whether producer rewards are among them. */
  readonly showsProperty: boolean;
}

/** Names of fields by the type of an operation, such as `effective_comment_vote_operation`. */
export type RequiredFields = ReadonlyMap<string, readonly string[]>;

export interface VerificationOptions {
  /** Whether a response without any producer reward is rejected too. */
  readonly requiresRewards: boolean;
  /** The kind of failure if the node has no complete block. */
  readonly missing: StorageAttempt['missing'];
  /** A response that lacks one of them is `outdated`. */
  readonly requiredFields: RequiredFields;
}

/**
 * The schema of a response of `enum_virtual_ops` for these blocks: their operations alone, with the time of the block
 * and the ids of its transactions. The id of a block does not cover its virtual operations. But if a response has a
 * producer reward, every block must have one for its witness, so that a node that lacks the operations of some blocks
 * is noticed.
 */
export function verifiedVirtualOperations(
  blocks: readonly HiveBlock[],
  { requiresRewards, missing, requiredFields }: VerificationOptions,
): z.ZodType<VerifiedOperations> {
  const byNumber = new Map(blocks.map((block) => [block.number, block]));
  return virtualOperationsPage.transform((page, context) => {
    const report = (kind: UntrueKind, detail: string | undefined): void => {
      if (detail !== undefined) context.issues.push(untrueIssue(page, kind, detail));
    };
    // Another fork may replace reversible operations.
    const irreversible = page.operations.filter(({ block }) => block < page.firstReversible);
    report(
      'contradiction',
      findContradiction(irreversible, byNumber) ??
        findOutOfOrder(irreversible) ??
        findRepeated(irreversible) ??
        findTooManyOperations(blocks[0], page),
    );
    report('mismatch', findMismatch(irreversible, byNumber));

    const uncut = blocks.slice(0, countUncut(blocks, page));
    const hasRewards = requiresRewards || irreversible.some(isReward);
    const isIncomplete = hasRewards ? lacksReward(irreversible) : isNotReached(page);
    const firstIncomplete = uncut.findIndex(({ number }) => isIncomplete(number));
    const completeBlocks = firstIncomplete < 0 ? uncut.length : firstIncomplete;
    const lastComplete = blocks[completeBlocks - 1]?.number ?? 0;
    const operations = irreversible.filter(({ block }) => block <= lastComplete);
    report('outdated', findOmittedField(operations, requiredFields));
    const hasGap = uncut.slice(completeBlocks).some(({ number }) => !isIncomplete(number));
    if (hasGap || completeBlocks === 0)
      report(
        hasGap ? 'behind' : missing,
        `no irreversible virtual operations of block ${blocks[completeBlocks]?.number}`,
      );
    return { operations, completeBlocks, showsProperty: operations.some(isReward) };
  });
}

/**
 * Finds that a response does not even hold the operations of the first block: the next request would give the same. No
 * block of Hive has a hundredth of that.
 */
function findTooManyOperations(first: HiveBlock | undefined, page: VirtualOperationsPage): string | undefined {
  if (first === undefined || !page.isCut || page.nextBlock > first.number) return undefined;
  return `block ${first.number} has more virtual operations than fit into a response`;
}

function findOmittedField(operations: readonly VirtualOperation[], required: RequiredFields): string | undefined {
  for (const { op } of operations) {
    const omitted = required.get(op.type)?.find((field) => !(field in op.value));
    if (omitted !== undefined) return `${op.type} has no ${omitted}: an older version`;
  }
  return undefined;
}

/** Counts the blocks before the one where the response was cut, and before the first reversible one. */
function countUncut(blocks: readonly HiveBlock[], page: VirtualOperationsPage): number {
  const { isCut, nextBlock, firstReversible } = page;
  const end = Math.min(isCut ? nextBlock : Infinity, firstReversible);
  const index = blocks.findIndex(({ number }) => number >= end);
  return index < 0 ? blocks.length : index;
}

function isReward({ op }: VirtualOperation): boolean {
  return op.type === rewardType;
}

function lacksReward(operations: readonly VirtualOperation[]): (number: number) => boolean {
  const rewarded = new Set(operations.filter(isReward).map(({ block }) => block));
  return (number) => !rewarded.has(number);
}

/**
 * Returns a predicate: does the page of a node end before this block? Without rewards, only the node's own statement
 * shows that.
 */
function isNotReached({ nextBlock }: VirtualOperationsPage): (number: number) => boolean {
  return (number) => nextBlock > 0 && number >= nextBlock;
}

function findContradiction(
  operations: readonly VirtualOperation[],
  blocks: ReadonlyMap<number, HiveBlock>,
): string | undefined {
  for (const { block: number, timestamp, op } of operations) {
    const block = blocks.get(number);
    if (!block) return `operations of block ${number} were not requested`;
    if (timestamp.getTime() !== block.timestamp.getTime()) return `operations of block ${number} have another time`;
    if (op.type === rewardType && op.value['producer'] !== block.witness)
      return `the reward of block ${number} is not for its witness`;
  }
  return undefined;
}

/**
 * Finds an operation of a transaction that is not in its block. No hash covers the ids of transactions, so the node
 * that returned the block may be wrong instead.
 */
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
  const index = operations.findIndex(({ block }, at) => block < (operations[at - 1]?.block ?? 0));
  return index < 0 ? undefined : 'virtual operations are out of order';
}

/** Finds an operation, or a producer reward of a block, that occurs twice. */
function findRepeated(operations: readonly VirtualOperation[]): string | undefined {
  const seen = new Set<string>();
  for (const { block, op, operation_id: id } of operations) {
    // A number beyond 53 bits is rounded, and may equal its neighbour.
    const isNumbered = typeof id === 'string' ? id !== '0' : Number.isSafeInteger(id) && id !== 0;
    const key = op.type === rewardType ? `reward of ${block}` : `${id}`;
    if (op.type !== rewardType && !isNumbered) continue;
    if (seen.has(key)) return `block ${block} has a virtual operation twice`;
    seen.add(key);
  }
  return undefined;
}
