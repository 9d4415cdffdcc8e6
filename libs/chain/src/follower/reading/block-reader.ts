import { setTimeout } from 'node:timers/promises';
import { blockRangeMethod, blockRangeQuery, type HiveBlock } from '../../api/block-api';
import {
  enumVirtualOpsMethod,
  type VirtualOperation,
  virtualOperationsFilter,
  virtualOperationsQuery,
} from '../../api/virtual-operations';
import { HiveNodesUnavailableError } from '../../node/errors';
import { type HiveNodes } from '../../node/hive-nodes';
import { type ChainProperties } from '../writing/checkpoint';
import { BlockComparison, type Comparison } from './block-comparison';
import { BlockSources } from './block-sources';
import { type LastIrreversibleBlock } from './last-irreversible-block';
import { type ErrorPosition } from '../errors';
import { PropertyDetector } from './property-detector';
import { isMismatch } from '../error-kinds';
import { defaultStorageDelayMs, type StorageAttempt, storagePollMs, untilStored } from './storage-delay';
import { type BlockRange, verifiedBlocks } from './verified-blocks';
import {
  type RequiredFields,
  rewardOperation,
  type VerifiedOperations,
  verifiedVirtualOperations,
} from './verified-virtual-operations';

/** Number of times that a block is read again, for each further node, if the database rejects one of its values. */
const rereadsPerNode = 3;

/**
 * hived before 1.26 leaves out the last irreversible block if reversible ones are requested. This attempt does not
 * request them.
 */
const attemptWithoutReversible = 2;

/**
 * Number of recent ranges that are read a moment later, after one whose virtual operations were not stored at first.
 */
const maxDelayedRanges = 20;

/** Options of a follower, as in `BlockFollowerOptions`. */
export interface BlockReaderOptions {
  readonly requiredFields: RequiredFields;
  readonly storageDelayMs: number;
}

const defaultOptions: BlockReaderOptions = { requiredFields: new Map(), storageDelayMs: defaultStorageDelayMs };

/** Reads blocks, and rejects responses that are untrue or incomplete, so that the client calls another node. */
export class BlockReader {
  private readonly virtualTypes: ReadonlySet<string>;
  private readonly filter: number;
  /** Whether ids are hashes of their headers. */
  private readonly hashes = new PropertyDetector();
  /** Whether each block has a producer reward. */
  private readonly rewards = new PropertyDetector();
  private readonly blockSources = new BlockSources();
  private readonly virtualSources = new BlockSources();
  private readonly comparison: BlockComparison;
  /**
   * Number of the next recent ranges that are read later: HAF that was slow for one is slow for the next, and this
   * saves a useless call.
   */
  private delayedRanges = 0;
  /** The last block with a value that the database rejected, and how many times in a row. */
  private rejected = { number: 0, times: 0 };

  /**
   * @param virtualOperations the kinds that are wanted, such as `return_vesting_delegation`
   * @throws RangeError if there is no such kind
   */
  constructor(
    private readonly api: HiveNodes,
    virtualOperations: readonly string[],
    private readonly lastIrreversible: Pick<LastIrreversibleBlock, 'isVoteAgainst' | 'isRecent'>,
    private readonly options: BlockReaderOptions = defaultOptions,
  ) {
    const names = virtualOperations.map((name) => name.replace(/_operation$/, ''));
    this.virtualTypes = new Set(names.map((name) => `${name}_operation`));
    this.filter = virtualOperationsFilter([...names, rewardOperation]);
    this.comparison = new BlockComparison(api, lastIrreversible, this.hashes);
  }

  /** What the nodes have shown of the chain so far. */
  get properties(): ChainProperties {
    return { idsAreHashes: this.hashes.isPresent, hasProducerRewards: this.rewards.isPresent };
  }

  /** Requires of every node the properties that an earlier run, or another follower of the chain, found. */
  require({ idsAreHashes, hasProducerRewards }: ChainProperties): void {
    if (idsAreHashes) this.hashes.require();
    if (hasProducerRewards) this.rewards.require();
  }

  /** Counts an operation that the handler cannot decode as a failure of the node that returned it. */
  rejectOperation({ block: { number }, operation: { type, isVirtual } }: Required<ErrorPosition>): void {
    const sources = isVirtual ? this.virtualSources : this.blockSources;
    const node = sources.find(number);
    if (node !== undefined)
      this.api.recordContradiction(node, `block ${number} has a ${type} that the handler cannot decode`);
  }

  /**
   * Lets another node return a block the next time, because the database rejects one of its values. One node may have
   * altered it; if all return it, the block is true. Which node is wrong is not known, so no contradiction is recorded.
   *
   * @returns false if all nodes had several attempts
   */
  rereadElsewhere(number: number): boolean {
    this.rejected = { number, times: this.rejected.number === number ? this.rejected.times + 1 : 1 };
    if (this.rejected.times > rereadsPerNode * (this.api.nodeCount - 1)) return false;
    for (const sources of [this.blockSources, this.virtualSources]) {
      const node = sources.find(number);
      if (node !== undefined) this.api.recordMismatch(node, `the database rejects a value of block ${number}`);
    }
    return true;
  }

  /**
   * Reads the block with this number, whose id may be known.
   *
   * @throws HiveNodesUnavailableError also if the majority of the nodes has another one
   */
  async readBlock(number: number, id: string | undefined): Promise<HiveBlock> {
    const [block] = await this.read({ after: { number: number - 1, id: undefined }, last: number, id });
    if (block === undefined) throw new Error('a response has at least one block');
    if ((await this.compare(block)) === 'outvoted') {
      const detail = `block ${number} is ${block.id}, which most nodes contradict`;
      const node = this.blockSources.find(number) ?? '';
      throw new HiveNodesUnavailableError(blockRangeMethod, [{ node, kind: 'contradiction', detail }]);
    }
    // Finds out whether the nodes return rewards, before anything depends on it.
    await this.readVirtual([block]);
    return block;
  }

  /** Reads blocks after `after`, whose id may be unknown, up to `last`: at least one. They are not compared yet. */
  readBlocks(after: BlockRange['after'], last: number): Promise<readonly HiveBlock[]> {
    return this.read({ after, last });
  }

  /** Compares a block with the blocks of other nodes, as `BlockComparison.compare`. */
  compare(block: HiveBlock): Promise<Comparison> {
    return this.comparison.compare(block, this.blockSources.find(block.number));
  }

  /** Reads the id of a block, as `BlockComparison.readId`. */
  readId(number: number): Promise<string> {
    return this.comparison.readId(number);
  }

  /** Reads the wanted virtual operations of these consecutive blocks, in the order of the chain. */
  async readVirtual(blocks: readonly HiveBlock[]): Promise<readonly VirtualOperation[]> {
    if (this.virtualTypes.size === 0) return [];
    let found: VirtualOperation[] = [];
    let rest = blocks;
    while (rest.length > 0) {
      const requested = rest;
      const { last } = rangeOf(requested);
      if (this.delayedRanges > 0 && this.lastIrreversible.isRecent(last)) {
        this.delayedRanges -= 1;
        await setTimeout(storagePollMs);
      }
      const readPage = (attempt: StorageAttempt) => {
        if (attempt.number > 0) this.delayedRanges = maxDelayedRanges;
        return this.readVirtualPage(requested, attempt);
      };
      const page = await this.untilStored(last, readPage).catch((error: unknown) => {
        if (isMismatch(error)) this.readElsewhere(requested);
        throw error;
      });
      this.virtualSources.add({ ...rangeOf(requested.slice(0, page.completeBlocks)), node: page.node });
      found = found.concat(page.operations.filter(({ op }) => this.virtualTypes.has(op.type)));
      rest = rest.slice(page.completeBlocks);
    }
    return found;
  }

  private readVirtualPage(
    blocks: readonly HiveBlock[],
    { number, missing }: StorageAttempt,
  ): Promise<VerifiedOperations & { readonly node: string }> {
    const { first, last } = rangeOf(blocks);
    // After the delay a node must not be blamed for the form of the request.
    const includesReversible = missing === 'behind' || number !== attemptWithoutReversible;
    const query = virtualOperationsQuery(first, last, { filter: this.filter, includesReversible });
    const { requiredFields } = this.options;
    return this.rewards.detect(async (requiresRewards) => {
      const shape = verifiedVirtualOperations(blocks, { requiresRewards, missing, requiredFields });
      const { node, value } = await this.api.callWithNode(enumVirtualOpsMethod, query, shape);
      return { ...value, node };
    });
  }

  /** Waits until a node stores a recent block. Older blocks must be there. */
  private untilStored<T>(lastBlock: number, read: (attempt: StorageAttempt) => Promise<T>): Promise<T> {
    return untilStored(this.lastIrreversible.isRecent(lastBlock) ? this.options.storageDelayMs : 0, read);
  }

  /**
   * Lets another node return the blocks the next time. Which node is wrong is not known, so no contradiction is
   * recorded.
   */
  private readElsewhere(blocks: readonly HiveBlock[]): void {
    const { first } = rangeOf(blocks);
    const node = this.blockSources.find(first);
    if (node !== undefined) this.api.recordMismatch(node, `virtual operations do not fit its blocks from ${first} on`);
  }

  private async read(range: BlockRange): Promise<readonly HiveBlock[]> {
    const first = range.after.number + 1;
    const params = blockRangeQuery(first, range.last - first + 1);
    const { blocks, node } = await this.untilStored(range.last, ({ missing }) =>
      this.hashes.detect(async (mustBeHashes) => {
        const shape = verifiedBlocks(range, { mustBeHashes, missing });
        const { node, value } = await this.api.callWithNode(blockRangeMethod, params, shape);
        return { ...value, node };
      }),
    );
    this.blockSources.add({ ...rangeOf(blocks), node });
    return blocks;
  }
}

function rangeOf(blocks: readonly HiveBlock[]): { readonly first: number; readonly last: number } {
  return { first: blocks[0]?.number ?? 0, last: blocks.at(-1)?.number ?? 0 };
}
