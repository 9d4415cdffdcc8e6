import { type ChainView } from '../chain/chain-view';
import { type NodeSoftware } from '../software';
import { virtualOperationBit } from '../operation-types';
import { type LocatedOperation, operationsOf } from './objects/operation-objects';

/** The parameters of `enum_virtual_ops`. */
export interface VirtualOpsQuery {
  readonly begin: number;
  /** Exclusive. */
  readonly end: number;
  readonly limit: number;
  readonly firstOperation: bigint;
  /** A bit mask of operation types; undefined for all. */
  readonly filter: bigint | undefined;
  readonly includeReversible: boolean;
}

export interface VirtualOpsPage {
  readonly operations: readonly LocatedOperation[];
  /** `next_block_range_begin` and `next_operation_begin`. */
  readonly next: { readonly block: number; readonly operation: bigint };
}

const nothingNext = { block: 0, operation: 0n };

/**
 * Returns virtual operations as hived's account_history_rocksdb plugin does (`enumVirtualOperationsFromBlockRange`).
 * Nothing is next if the range ends after the last irreversible block.
 */
export function enumVirtualOpsOfHived(
  view: ChainView,
  { omitsLastIrreversible }: NodeSoftware,
  query: VirtualOpsQuery,
): VirtualOpsPage {
  const { lastIrreversible: last } = view;
  const { begin, end, limit, includeReversible } = query;
  const lastVisible = includeReversible ? view.head.number : last;
  const omitted = omitsLastIrreversible && includeReversible && begin <= last && end > last ? last : undefined;
  const { operations: found, rest } = readPage(view, query, Math.min(end, lastVisible + 1), omitted);
  const operations = found.map((each) => (each.block.number > last ? { ...each, id: volatileId(each) } : each));
  if (rest !== undefined) {
    // In reversible blocks a page that ends with its block has no next operation.
    const endsWithBlock = rest.block.number !== operations.at(-1)?.block.number;
    const isReversible = rest.block.number > last;
    const operation = isReversible && endsWithBlock && limit > 0 ? 0n : rest.id;
    return { operations, next: { block: rest.block.number, operation } };
  }
  if (includeReversible && (begin > last || end > last)) return { operations, next: nothingNext };
  const following = firstVirtual(view, end, last);
  return { operations, next: following ? { block: following.block.number, operation: 0n } : nothingNext };
}

/**
 * Returns virtual operations as HAfAH does (`hafah_backend.enum_virtual_ops`, `enum_virtual_ops_json`). Without
 * reversible blocks, the last irreversible one is excluded if the range ends at it or later.
 */
export function enumVirtualOpsOfHafah(
  view: ChainView,
  _software: NodeSoftware,
  query: VirtualOpsQuery,
): VirtualOpsPage {
  const { lastIrreversible, head } = view;
  const { end, limit, includeReversible } = query;
  const visibleEnd = includeReversible ? head.number + 1 : lastIrreversible;
  const { operations } = readPage(view, query, Math.min(end, visibleEnd));
  const atEnd = { block: end > head.number ? 0 : end, operation: 0n };
  const last = operations.at(-1);
  if (last === undefined) return { operations, next: atEnd };
  const from = operations.length === limit ? last.block.number : end;
  const following = firstVirtual(view, from, head.number, last.id + 1n);
  if (following === undefined) return { operations, next: atEnd };
  const isInRange = following.block.number < end;
  return { operations, next: { block: following.block.number, operation: isInRange ? following.id : 0n } };
}

/** The id of an operation in a reversible block, which hived gives again in the next one. */
function volatileId({ transactionInBlock, operationInTransaction }: LocatedOperation): bigint {
  return (BigInt(transactionInBlock) << 32n) | BigInt(operationInTransaction);
}

/** The first `limit` operations before the block `end`, and the virtual one after them, whether it is wanted or not. */
function readPage(view: ChainView, query: VirtualOpsQuery, end: number, omitted?: number) {
  const operations: LocatedOperation[] = [];
  for (let number = query.begin; number < end; number++) {
    if (number === omitted) continue;
    for (const operation of virtualOperationsOf(view, number)) {
      if (operation.id < query.firstOperation) continue;
      if (operations.length === query.limit) return { operations, rest: operation };
      if (query.filter === undefined || (virtualOperationBit(operation.operation.name) & query.filter) !== 0n)
        operations.push(operation);
    }
  }
  return { operations, rest: undefined };
}

function firstVirtual(view: ChainView, from: number, last: number, minId = 0n): LocatedOperation | undefined {
  for (let number = from; number <= last; number++) {
    const found = virtualOperationsOf(view, number).find(({ id }) => id >= minId);
    if (found) return found;
  }
  return undefined;
}

function virtualOperationsOf(view: ChainView, number: number): LocatedOperation[] {
  const block = view.findBlock(number);
  return block ? operationsOf(block).filter(({ virtual }) => virtual) : [];
}
