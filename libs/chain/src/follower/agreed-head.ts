import { blockRange, blockRangeMethod } from '../api/block-api';
import { dynamicGlobalProperties, type DynamicGlobalProperties, headMethod } from '../api/database-api';
import { HiveNodesUnavailableError } from '../node/errors';
import { type HiveNodes, type NodeResult } from '../node/hive-api';

/** Where the chain is. */
export interface HeadBlocks {
  readonly headBlock: number;
  readonly irreversibleBlock: number;
}

/** A node whose head is further behind than this lags, and has no say; a head further ahead has to be shown. */
const maxLagBlocks = 20;

type Claim = NodeResult<DynamicGlobalProperties>;

/**
 * Asks all nodes how far the chain is. Irreversible is what every node that does not lag calls so: one that says more than is true
 * cannot make the follower apply a block that may be undone. The highest head is believed only if a node has that block, so that
 * one which says too much cannot make the others seem to lag.
 */
export class AgreedHead {
  /** The highest head that a node has shown to have. */
  private shownBlock = 0;

  constructor(private readonly api: HiveNodes) {}

  /** @throws HiveNodesUnavailableError if no node answers, or none has the head that it names */
  async find(): Promise<HeadBlocks> {
    const claims = await this.api.callEach(headMethod, {}, dynamicGlobalProperties);
    const headBlock = await this.findHighest(claims);
    const near = claims.filter(({ value }) => Math.abs(headBlock - value.headBlockNumber) <= maxLagBlocks);
    const irreversibleBlock = Math.min(...near.map(({ value }) => value.lastIrreversibleBlockNumber));
    return { headBlock, irreversibleBlock };
  }

  private async findHighest(claims: readonly Claim[]): Promise<number> {
    const heads = [...new Set(claims.map(({ value }) => value.headBlockNumber))].sort((one, other) => other - one);
    for (const head of heads) if (head <= this.shownBlock + maxLagBlocks || (await this.isShown(head))) return head;
    throw new HiveNodesUnavailableError(
      headMethod,
      claims.map(({ node, value }) => ({
        node,
        kind: 'contradiction',
        detail: `block ${value.headBlockNumber} is its head, and no node has it`,
      })),
    );
  }

  private async isShown(head: number): Promise<boolean> {
    const answers = await this.api.callEach(blockRangeMethod, { starting_block_num: head, count: 1 }, blockRange);
    const isShown = answers.some(({ value }) => value.blocks[0]?.number === head);
    if (isShown) this.shownBlock = Math.max(this.shownBlock, head);
    return isShown;
  }
}
