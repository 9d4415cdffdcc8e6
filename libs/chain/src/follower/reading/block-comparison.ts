import { blockRangeMethod, blockRangeQuery, type HiveBlock } from '../../api/block-api';
import { HiveNodesUnavailableError } from '../../node/errors';
import { type HiveNodes } from '../../node/hive-nodes';
import { agreedIdentity, type BlockVote, isDisputed } from './agreed-block';
import { type LastIrreversibleBlock } from './last-irreversible-block';
import { type PropertyDetector } from './property-detector';
import { blockIdentity, identityOf } from './verified-blocks';

/**
 * - `agreed`: no node that responds contradicts the block
 * - `not-compared`: of several nodes, only the one that returned the block has a vote
 * - `outvoted`: the majority of the nodes has another block with this number
 */
export type Comparison = 'agreed' | 'not-compared' | 'outvoted';

/** Compares blocks between nodes, so that a single node cannot lead the follower to another chain. */
export class BlockComparison {
  /** Whether nodes gave a block different identities, and do not agree on one yet. */
  private isInDispute = false;

  /** @param hashes whether ids are hashes of their headers */
  constructor(
    private readonly api: HiveNodes,
    private readonly lastIrreversible: Pick<LastIrreversibleBlock, 'isVoteAgainst'>,
    private readonly hashes: Pick<PropertyDetector, 'isPresent'>,
  ) {}

  /**
   * Compares a block with what the other working nodes have. The ids link, so this covers the blocks before it, back to
   * the nearest one whose header has extensions: that the id of that one is the hash of its header cannot be checked.
   *
   * After a dispute two nodes have to agree, even if the others do not respond.
   *
   * @param source the node that returned the block, if it is known
   * @throws HiveNodesUnavailableError if nodes contradict one another and there is no majority
   */
  async compare(block: HiveBlock, source: string | undefined): Promise<Comparison> {
    if (this.api.nodeCount === 1) return 'agreed';
    const { number } = block;
    const read = source === undefined ? [] : [{ node: source, value: identityOf(block) }];
    const votes = await this.readVotes(number, read);
    if (isDisputed(votes)) this.isInDispute = true;
    if (this.isInDispute) requireTwo(number, votes);
    const agreed = agreedIdentity(number, votes, this.api.nodeCount);
    this.isInDispute = false;
    // Includes the node that the block was read from: it may have returned another block then than in the comparison.
    for (const { node, value } of [...votes, ...read])
      if (value !== undefined && value !== agreed)
        this.api.recordContradiction(node, `block ${number} is ${value}, and ${agreed} at most nodes`);
    if (agreed !== identityOf(block)) return 'outvoted';
    return votes.some(({ node }) => node !== source) ? 'agreed' : 'not-compared';
  }

  /**
   * Reads the id that the nodes give the block with this number.
   *
   * @throws HiveNodesUnavailableError if nodes contradict one another and there is no majority
   */
  async readId(number: number): Promise<string> {
    const identity = agreedIdentity(number, await this.readVotes(number), this.api.nodeCount);
    // An identity begins with the id.
    return identity.split(' ', 1)[0] ?? identity;
  }

  /**
   * What each working node returns as the block, and what was read before from a node that has no vote now. Nodes whose
   * lack of the block does not count are left out, unless there is no other response.
   */
  private async readVotes(number: number, read: readonly BlockVote[] = []): Promise<readonly BlockVote[]> {
    const params = blockRangeQuery(number, 1);
    const shape = blockIdentity(number, { mustBeHash: this.hashes.isPresent });
    const results = await this.api.callWorkingNodes(blockRangeMethod, params, shape, 'comparison');
    const votes = results.filter(
      ({ node, value }) => value !== undefined || this.lastIrreversible.isVoteAgainst(node, number),
    );
    votes.push(...read.filter(({ node }) => !votes.some((vote) => vote.node === node)));
    return votes.length > 0 ? votes : results;
  }
}

function requireTwo(number: number, votes: readonly BlockVote[]): void {
  if (votes.length > 1) return;
  throw new HiveNodesUnavailableError(
    blockRangeMethod,
    votes.map(({ node }) => ({
      node,
      kind: 'contradiction',
      detail: `nodes disagreed before block ${number}, and no other node has responded since`,
    })),
  );
}
