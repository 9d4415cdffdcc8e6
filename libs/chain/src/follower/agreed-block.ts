import { blockRangeMethod } from '../api/block-api';
import { HiveNodesUnavailableError } from '../node/errors';
import { type NodeResult } from '../node/hive-nodes';

/** The identity of a block (`identityOf`) by a node; undefined if the node does not have it. */
export type BlockId = NodeResult<string | undefined>;

/**
 * Decides which id a block has. If all nodes that respond give the same id, that counts. Otherwise the majority of the
 * configured nodes decides, and a node that does not have the block counts against it.
 *
 * @param ids of the nodes that respond, at least one
 * @throws HiveNodesUnavailableError if there is no such majority
 */
export function agreedId(number: number, ids: readonly BlockId[], nodeCount: number): string {
  const votesFor = (id: string | undefined): number => ids.filter(({ value }) => value === id).length;
  const agreed = ids.find(({ value }) => votesFor(value) === ids.length || votesFor(value) > nodeCount / 2);
  if (agreed?.value !== undefined) return agreed.value;
  throw new HiveNodesUnavailableError(
    blockRangeMethod,
    ids.map(({ node, value }) =>
      value === undefined
        ? { node, kind: 'behind', detail: `no block ${number}` }
        : { node, kind: 'contradiction', detail: `block ${number} is ${value}` },
    ),
  );
}

/** Whether nodes give a block different ids. */
export function isDisputed(ids: readonly BlockId[]): boolean {
  return new Set(ids.flatMap(({ value }) => value ?? [])).size > 1;
}
