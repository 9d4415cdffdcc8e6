import { type HiveBlock } from '../api/block-api';
import { type VirtualOperation } from '../api/virtual-operations';
import { BatchSize } from './batch-size';
import { type BlockReader, type Comparison } from './block-reader';
import { BoundedQueue } from './bounded-queue';
import { type ChainHead } from './chain-head';
import { type ChainPoint } from './chain-point';
import { OutvotedBlockError } from './errors';
import { isMismatch } from './error-kinds';
import { followedBlock, type FollowedBlock, type IsWanted, withoutUnwanted } from './followed-block';
import { RetryPolicy, type RetryOptions } from './retry-policy';
import { type PrefetchLimits, RangePrefetch } from './range-prefetch';
import { untilAborted } from './abortable';

export interface ReadAheadOptions extends RetryOptions {
  /** Number of the last block to read; Infinity where there is none. */
  readonly endBlock: number;
  readonly batchBlocks: number;
  /** How many batches may wait to be taken. */
  readonly readAheadBatches: number;
  /** How many ranges are fetched at the same time. */
  readonly concurrentFetches: number;
  readonly isWanted: IsWanted;
  /** Called for each range that no second node could be asked about, though there are several. */
  readonly onNotCompared: () => void;
}

type Batch = readonly FollowedBlock[];

/**
 * Reads the irreversible blocks after a point, in batches, while earlier batches are written. Ranges are fetched concurrently and
 * linked in order. Then the last block of a batch is compared with the other nodes and its virtual operations are read, while the
 * next ranges are fetched: a slow node delays a batch but not the fetching.
 */
export class ReadAhead {
  private readonly batches: BoundedQueue<Promise<Batch>>;

  /** Begins to read at once, and ends when the signal is aborted. */
  constructor(
    private readonly reader: BlockReader,
    private readonly head: ChainHead,
    private readonly options: ReadAheadOptions,
    after: ChainPoint,
  ) {
    this.batches = new BoundedQueue(options.readAheadBatches);
    const close = (): void => {
      this.batches.close();
    };
    options.signal.addEventListener('abort', close, { once: true });
    void this.fill(after);
  }

  /**
   * The next batch; undefined behind the last block, or when the signal is aborted.
   *
   * @throws FatalChainError in the place of the batch that cannot be read; OutvotedBlockError, or what `isMismatch`, in that of one
   *   to be read again
   */
  async next(): Promise<Batch | undefined> {
    const batch = await this.batches.take();
    return this.options.signal.aborted ? undefined : batch;
  }

  /** Never rejects: what it fails with is given to who takes. */
  private async fill(after: ChainPoint): Promise<void> {
    try {
      await this.readAll(after);
    } catch (error) {
      await this.put(Promise.reject(error instanceof Error ? error : new Error('cannot read', { cause: error })));
    } finally {
      this.batches.close();
    }
  }

  private async readAll(after: ChainPoint): Promise<void> {
    const { signal, endBlock, batchBlocks, concurrentFetches, isWanted } = this.options;
    const retry = new RetryPolicy(this.options);
    const size = new BatchSize(batchBlocks);
    const prefetch = new RangePrefetch(this.reader, (block) => withoutUnwanted(block, isWanted));
    let maxRanges = concurrentFetches;
    let point = after;
    /** Whether the nodes agree on the previous range. */
    let comparing = Promise.resolve(true);
    /** Whether a node that returns blocks which do not follow the previous ones is known to be wrong. */
    let mustLink = false;
    while (point.number < endBlock) {
      let blocks: readonly HiveBlock[];
      try {
        const last = Math.min(await this.head.irreversibleAfter(point.number, signal), endBlock);
        const limits = { last, rangeBlocks: size.current, maxRanges };
        blocks = await untilAborted(
          mustLink ? this.readLinked(point, limits) : prefetch.next(point.number, limits),
          signal,
        );
        if (blocks[0]?.previous !== point.id) {
          // One of two nodes is wrong. If it is that of the previous range, that range is not applied.
          if (!(await comparing)) return;
          prefetch.clear();
          mustLink = true;
          continue;
        }
      } catch (error) {
        prefetch.clear();
        size.shrink();
        // While no node returns a range, more calls at once would only add to their load.
        maxRanges = 1;
        // It may have been that of a node which is ahead of all others, or lies.
        this.head.forget();
        await retry.waitAfter(error, point.number + 1);
        continue;
      }
      retry.succeed();
      size.grow();
      maxRanges = concurrentFetches;
      mustLink = false;
      comparing = this.compare(blocks);
      await this.put(this.complete(blocks, comparing, point.timestamp));
      point = blocks.at(-1) ?? point;
    }
  }

  /** Reads blocks from a node that returns blocks which follow this point; other nodes have failed the call. */
  private async readLinked(point: ChainPoint, { last, rangeBlocks }: PrefetchLimits): Promise<readonly HiveBlock[]> {
    const blocks = await this.reader.readBlocks(point, Math.min(last, point.number + rangeBlocks));
    return blocks.map((block) => withoutUnwanted(block, this.options.isWanted));
  }

  private async put(batch: Promise<Batch>): Promise<void> {
    // It may fail before it is taken, or never be taken.
    batch.catch(() => undefined);
    await this.batches.put(batch);
  }

  /** @throws OutvotedBlockError if the majority of the nodes has other blocks */
  private async complete(
    blocks: readonly HiveBlock[],
    comparing: Promise<boolean>,
    timeBefore: Date | undefined,
  ): Promise<Batch> {
    const last = blocks.at(-1);
    if (last && !(await comparing)) throw new OutvotedBlockError(last.number, last.id);
    const byBlock = groupByBlock(await this.readVirtual(blocks));
    return blocks.map((block, index) => {
      const previousTimestamp = blocks[index - 1]?.timestamp ?? timeBefore;
      return followedBlock(block, previousTimestamp, byBlock.get(block.number) ?? [], this.options.isWanted);
    });
  }

  /** Whether the nodes agree on these blocks: not if the majority has others. */
  private async compare(blocks: readonly HiveBlock[]): Promise<boolean> {
    const { signal, onNotCompared } = this.options;
    const retry = new RetryPolicy(this.options);
    // The id of the last one covers the others, except for what is not hashed into it.
    const compared = blocks.filter((block, index) => block.hasExtensions || index === blocks.length - 1);
    const comparisons = new Set<Comparison>();
    for (const block of compared) {
      const ask = (): Promise<Comparison> => {
        // What a node may deny depends on the head that it claims: a node that is stuck must not hold up the others for ever.
        this.head.refresh(signal);
        return this.reader.compare(block);
      };
      comparisons.add(await retry.run(block.number, ask));
      if (comparisons.has('outvoted')) return false;
    }
    if (comparisons.has('not-compared')) onNotCompared();
    return true;
  }

  private async readVirtual(blocks: readonly HiveBlock[]): Promise<VirtualOperation[]> {
    const retry = new RetryPolicy(this.options);
    const size = new BatchSize(blocks.length);
    let found: VirtualOperation[] = [];
    let rest = blocks;
    while (rest.length > 0) {
      const asked = rest.slice(0, size.current);
      try {
        found = found.concat(await untilAborted(this.reader.readVirtual(asked), this.options.signal));
      } catch (error) {
        // Waiting would not help if the blocks are what is untrue.
        if (isMismatch(error)) throw error;
        size.shrink();
        await retry.waitAfter(error, asked[0]?.number ?? 0);
        continue;
      }
      retry.succeed();
      size.grow();
      rest = rest.slice(asked.length);
    }
    return found;
  }
}

function groupByBlock(operations: readonly VirtualOperation[]): Map<number, VirtualOperation[]> {
  const groups = new Map<number, VirtualOperation[]>();
  for (const operation of operations) {
    const group = groups.get(operation.block);
    if (group) group.push(operation);
    else groups.set(operation.block, [operation]);
  }
  return groups;
}
