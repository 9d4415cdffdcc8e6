import { type z } from 'zod';
import { blockRangeMethod, type HiveBlock } from '../api/block-api';
import {
  enumVirtualOpsMethod,
  maxVirtualOperations,
  type VirtualOperation,
  virtualOperationsFilter,
} from '../api/virtual-operations';
import { type HiveNodes } from '../node/hive-api';
import { untrue } from '../node/untrue';
import { agreedId, type BlockId, requireKnown } from './agreed-block';
import { type ChainPoint } from './chain-point';
import { type ChainTraits } from './chain-traits';
import { Evidence } from './evidence';
import { blockId, type BlockRange, type LinkedBlocks, linkedBlocks } from './linked-blocks';
import { type OperationPlace } from './operation-handlers';
import { proofOperation, type ProvenOperations, provenVirtualOperations } from './proven-virtual-operations';
import { RefusedOperations } from './refused-operations';

/** Reads blocks so that a node which tells them falsely, or only in part, is passed over for the next. */
export class BlockReader {
  private readonly virtualTypes: ReadonlySet<string>;
  private readonly filter: number;
  /** Ids that are hashes of their headers. */
  private readonly hashes = new Evidence();
  /** Virtual operations of which each block has one. */
  private readonly proofs = new Evidence();
  private readonly refused = new RefusedOperations();

  /**
   * @param virtualOperations the kinds that are wanted, such as `return_vesting_delegation`
   * @throws RangeError if one of them is none
   */
  constructor(
    private readonly api: HiveNodes,
    virtualOperations: readonly string[],
  ) {
    const names = virtualOperations.map((name) => name.replace(/_operation$/, ''));
    this.virtualTypes = new Set(names.map((name) => `${name}_operation`));
    this.filter = virtualOperationsFilter([...names, proofOperation]);
  }

  /** What the nodes have shown of the chain so far. */
  get traits(): ChainTraits {
    return { idsAreHashes: this.hashes.isShown, hasProducerRewards: this.proofs.isShown };
  }

  /** Requires of every node what an earlier run, or another follower of the chain, was shown. */
  require({ idsAreHashes, hasProducerRewards }: ChainTraits): void {
    if (idsAreHashes) this.hashes.require();
    if (hasProducerRewards) this.proofs.require();
  }

  /** Takes no answer any more that repeats this operation as it is written there. */
  refuse(place: OperationPlace): void {
    this.refused.add(place);
  }

  /** The block with this number, of which nothing is known but, perhaps, its id. */
  async readBlock(number: number, id: string | undefined): Promise<HiveBlock> {
    const [block] = await this.readAgreed({ after: { number: number - 1, id: undefined }, last: number, id });
    if (block === undefined) throw new Error('an answer has at least one block');
    // Shows whether its nodes tell of rewards, before anything depends on it.
    await this.readVirtual([block]);
    return block;
  }

  /** Blocks that follow `after`, up to `last` or fewer, but at least one. */
  readBlocks(after: ChainPoint, last: number): Promise<readonly HiveBlock[]> {
    return this.readAgreed({ after, last });
  }

  /** The virtual operations of these consecutive blocks that are wanted, in the order of the chain. */
  async readVirtual(blocks: readonly HiveBlock[]): Promise<readonly VirtualOperation[]> {
    if (this.virtualTypes.size === 0) return [];
    let found: VirtualOperation[] = [];
    let rest = blocks;
    while (rest.length > 0) {
      const asked = rest;
      const page = await this.proofs.ask((isRequired) =>
        this.api.call(enumVirtualOpsMethod, this.virtualQuery(asked), this.virtualShape(asked, isRequired)),
      );
      found = found.concat(page.operations.filter(({ op }) => this.virtualTypes.has(op.type)));
      rest = rest.slice(page.completeBlocks);
    }
    return found;
  }

  /**
   * Reads blocks that no node contradicts. The ids link, so those of the last block show whether the nodes tell of the same chain;
   * they are asked for at the same time as the blocks.
   *
   * @throws HiveNodesUnavailableError also where nodes contradict one another and neither is the majority
   */
  private async readAgreed(range: BlockRange): Promise<readonly HiveBlock[]> {
    const isAlone = this.api.nodeCount === 1;
    const asked = isAlone ? Promise.resolve([]) : this.readIds(range.last);
    const [blocks, ids] = await Promise.all([this.read(range), asked]);
    const last = blocks.at(-1)?.number ?? range.last;
    if (last === range.last) return this.requireAgreed(range, blocks, ids);
    // A node may give less at once than it is asked for. If no node has the last block, it is not irreversible.
    requireKnown(range.last, isAlone ? await this.readIds(range.last) : ids);
    return this.requireAgreed({ ...range, last }, blocks, isAlone ? [] : await this.readIds(last));
  }

  /** The blocks, or those of the majority of the nodes. */
  private async requireAgreed(
    range: BlockRange,
    blocks: readonly HiveBlock[],
    ids: readonly BlockId[],
  ): Promise<readonly HiveBlock[]> {
    const read = blocks.at(-1)?.id;
    const agreed = agreedId(range.last, read, ids, this.api.nodeCount);
    return agreed === read ? blocks : this.readAgreed({ ...range, id: agreed });
  }

  private async read(range: BlockRange): Promise<readonly HiveBlock[]> {
    const first = range.after.number + 1;
    const params = { starting_block_num: first, count: range.last - first + 1 };
    const { blocks } = await this.hashes.ask((isRequired) =>
      this.api.call(blockRangeMethod, params, this.blocksShape(range, isRequired)),
    );
    return blocks;
  }

  private readIds(number: number): Promise<readonly BlockId[]> {
    const params = { starting_block_num: number, count: 1 };
    return this.api.callEach(blockRangeMethod, params, blockId(number, this.hashes.isShown));
  }

  private blocksShape(range: BlockRange, mustBeHashes: boolean): z.ZodType<LinkedBlocks> {
    return linkedBlocks(range, mustBeHashes).transform((answer, context) => {
      for (const { number, transactions } of answer.blocks)
        for (const { operations } of transactions) {
          const refused = this.refused.findIn(number, operations);
          if (refused !== undefined) context.issues.push(untrue(answer, 'contradiction', refused));
        }
      return answer;
    });
  }

  private virtualShape(blocks: readonly HiveBlock[], mustBeProven: boolean): z.ZodType<ProvenOperations> {
    return provenVirtualOperations(blocks, mustBeProven).transform((answer, context) => {
      for (const { block, op } of answer.operations) {
        const refused = this.refused.findIn(block, [op]);
        if (refused !== undefined) context.issues.push(untrue(answer, 'contradiction', refused));
      }
      return answer;
    });
  }

  private virtualQuery(blocks: readonly HiveBlock[]): object {
    return {
      block_range_begin: blocks[0]?.number,
      block_range_end: (blocks.at(-1)?.number ?? 0) + 1,
      include_reversible: false,
      group_by_block: false,
      limit: maxVirtualOperations,
      filter: this.filter,
    };
  }
}
