import { blockRangeMethod } from '../api/block-api';
import { HiveNodesUnavailableError } from '../node/errors';
import { type NodeResult } from '../node/hive-api';

/** The id that a node gives a block; undefined if the node does not have it. */
export type BlockId = NodeResult<string | undefined>;

/**
 * @param read the id with which the block was read
 * @param ids those that the nodes give it
 * @returns the id with which it was read where no node has another, otherwise that of the majority of all nodes
 * @throws HiveNodesUnavailableError if there is no such majority: it cannot be told which node is right
 */
export function agreedId(
  number: number,
  read: string | undefined,
  ids: readonly BlockId[],
  nodeCount: number,
): string | undefined {
  const known = ids.filter(({ value }) => value !== undefined);
  if (known.every(({ value }) => value === read)) return read;
  const agreed = known.find(({ value }) => known.filter((other) => other.value === value).length > nodeCount / 2);
  if (agreed) return agreed.value;
  throw new HiveNodesUnavailableError(
    blockRangeMethod,
    known.map(({ node, value }) => ({ node, kind: 'contradiction', detail: `block ${number} is ${value}` })),
  );
}

/** @throws HiveNodesUnavailableError if no node has the block */
export function requireKnown(number: number, ids: readonly BlockId[]): void {
  if (ids.some(({ value }) => value !== undefined)) return;
  throw new HiveNodesUnavailableError(
    blockRangeMethod,
    ids.map(({ node }) => ({ node, kind: 'behind', detail: `no block ${number}` })),
  );
}
