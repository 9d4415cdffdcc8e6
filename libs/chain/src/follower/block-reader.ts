import { blockRangeMethod, type HiveBlock } from '../api/block-api';
import {
  enumVirtualOpsMethod,
  maxVirtualOperations,
  type VirtualOperation,
  virtualOperationsFilter,
} from '../api/virtual-operations';
import { type HiveApi } from '../node/hive-api';
import { type ChainPoint } from './chain-point';
import { type ChainTraits } from './chain-traits';
import { Evidence } from './evidence';
import { type BlockRange, linkedBlocks } from './linked-blocks';
import { proofOperation, provenVirtualOperations } from './proven-virtual-operations';

/** Reads blocks so that a node which tells them falsely, or only in part, is passed over for the next. */
export class BlockReader {
  private readonly virtualTypes: ReadonlySet<string>;
  private readonly filter: number;
  /** Ids that are hashes of their headers. */
  private readonly hashes = new Evidence();
  /** Virtual operations of which each block has one. */
  private readonly proofs = new Evidence();

  /**
   * @param virtualOperations the kinds that are wanted, such as `return_vesting_delegation`
   * @throws RangeError if one of them is none
   */
  constructor(
    private readonly api: HiveApi,
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

  /** The block with this number, of which nothing is known but, perhaps, its id. */
  async readBlock(number: number, id: string | undefined): Promise<HiveBlock> {
    const [block] = await this.call({ after: { number: number - 1, id: undefined }, last: number, id });
    if (block === undefined) throw new Error('an answer has at least one block');
    // Shows whether its nodes tell of rewards, before anything depends on it.
    await this.readVirtual([block]);
    return block;
  }

  /** Blocks that follow `after`, up to `last` or fewer, but at least one. */
  readBlocks(after: ChainPoint, last: number): Promise<readonly HiveBlock[]> {
    return this.call({ after, last });
  }

  /** The virtual operations of these consecutive blocks that are wanted, in the order of the chain. */
  async readVirtual(blocks: readonly HiveBlock[]): Promise<readonly VirtualOperation[]> {
    if (this.virtualTypes.size === 0) return [];
    let found: VirtualOperation[] = [];
    let rest = blocks;
    while (rest.length > 0) {
      const asked = rest;
      const page = await this.proofs.ask((isRequired) =>
        this.api.call(enumVirtualOpsMethod, this.virtualQuery(asked), provenVirtualOperations(asked, isRequired)),
      );
      found = found.concat(page.operations.filter(({ op }) => this.virtualTypes.has(op.type)));
      rest = rest.slice(page.completeBlocks);
    }
    return found;
  }

  private async call(range: BlockRange): Promise<readonly HiveBlock[]> {
    const first = range.after.number + 1;
    const params = { starting_block_num: first, count: range.last - first + 1 };
    const { blocks } = await this.hashes.ask((isRequired) =>
      this.api.call(blockRangeMethod, params, linkedBlocks(range, isRequired)),
    );
    return blocks;
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
