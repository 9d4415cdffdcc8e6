import { blockRangeMethod } from '../../api/block-api';
import { HiveNodesUnavailableError } from '../../node/errors';
import { type NodeResult } from '../../node/hive-nodes';

/** The identity that a node gives a block, as of `identityOf`; undefined if the node does not have the block. */
export type BlockVote = NodeResult<string | undefined>;

/**
 * Decides which identity a block has. If all nodes that respond give the same one, that counts. Otherwise the majority
 * of the configured nodes decides, and a node that does not have the block counts against it.
 *
 * @param votes of the nodes that respond, at least one
 * @throws HiveNodesUnavailableError if there is no such majority
 */
export function agreedIdentity(number: number, votes: readonly BlockVote[], nodeCount: number): string {
  const votesFor = (identity: string | undefined): number => votes.filter(({ value }) => value === identity).length;
  const agreed = votes.find(({ value }) => votesFor(value) === votes.length || votesFor(value) > nodeCount / 2);
  if (agreed?.value !== undefined) return agreed.value;
  throw new HiveNodesUnavailableError(
    blockRangeMethod,
    votes.map(({ node, value }) =>
      value === undefined
        ? { node, kind: 'behind', detail: `no block ${number}` }
        : { node, kind: 'contradiction', detail: `block ${number} is ${value}` },
    ),
  );
}

/** Whether nodes give a block different identities. */
export function isDisputed(votes: readonly BlockVote[]): boolean {
  return new Set(votes.flatMap(({ value }) => value ?? [])).size > 1;
}
