import { type HiveBlock } from '../../api/block-api';
import { type VirtualOperation } from '../../api/virtual-operations';
import { type ChainPoint } from '../writing/checkpoint';
import { BlocksPerCall } from './blocks-per-call';
import { type Comparison } from './block-comparison';
import { type BlockReader } from './block-reader';
import { BoundedQueue } from './bounded-queue';
import { type LastIrreversibleBlock } from './last-irreversible-block';
import { Confirmations } from './confirmations';
import { OutvotedBlockError } from '../errors';
import { isMismatch } from '../error-kinds';
import { followedBlock, type FollowedBlock, type IsWanted } from '../followed-block';
import { type FollowerSettings } from '../options';
import { RetryPolicy, type RetryOptions } from '../retry-policy';
import { RangeFetcher } from './range-fetcher';
import { untilAborted } from '../abortable';

type Limits =
  | 'endBlock'
  | 'batchBlocks'
  | 'transactionBlocks'
  | 'readAheadBatches'
  | 'maxUncomparedRanges'
  | 'concurrentFetches';

export interface ReadAheadOptions extends RetryOptions, Pick<FollowerSettings, Limits> {
  readonly isWanted: IsWanted;
  /** Called for each range that no second node could confirm, if there are several nodes. */
  readonly onNotCompared: () => void;
}

type Batch = readonly FollowedBlock[];

/** Consecutive blocks of one call, before they are compared. */
interface FetchedRange {
  readonly blocks: readonly HiveBlock[];
  /** The time of the block before them. */
  readonly timeBefore: Date | undefined;
  /** Blocks and transactions. */
  readonly items: number;
  readonly comparison: Promise<Comparison>;
}

interface PendingBatch {
  readonly whenRead: Promise<Batch>;
  /** Undefined until the batch is read, and if that fails. */
  blocks?: Batch;
}

/** Limit of the blocks and transactions that wait for a comparison: 800 full blocks, about 40 MB. */
const maxUncomparedItems = 40_000;

/**
 * Reads the irreversible blocks after a point, in batches, while earlier batches are written. Ranges are fetched
 * concurrently and linked in order. Each waits until a block at or after its end is confirmed by the other nodes, and
 * then for its virtual operations. Meanwhile the next ranges are fetched: a slow node delays a batch but not the
 * fetching.
 */
export class ReadAhead {
  private readonly fetched: BoundedQueue<FetchedRange>;
  private readonly batches: BoundedQueue<PendingBatch>;
  private readonly confirmations = new Confirmations((blocks) => this.compare(blocks));

  /** Begins to read at once, and ends when the signal is aborted. */
  constructor(
    private readonly reader: BlockReader,
    private readonly lastIrreversible: LastIrreversibleBlock,
    private readonly options: ReadAheadOptions,
    after: ChainPoint,
  ) {
    const { readAheadBatches, maxUncomparedRanges, signal } = options;
    this.fetched = new BoundedQueue(
      (ranges) =>
        ranges.length >= maxUncomparedRanges ||
        (ranges.length >= readAheadBatches && countItems(ranges) >= maxUncomparedItems),
    );
    this.batches = new BoundedQueue(({ length }) => length >= readAheadBatches);
    const end = (): void => {
      this.end();
    };
    signal.addEventListener('abort', end, { once: true });
    void this.fetch(after);
    void this.complete();
  }

  /**
   * Resolves with the next batch, together with later ones that are read already, up to `transactionBlocks`. Undefined
   * after the last block, or when the signal is aborted.
   *
   * @throws FatalChainError instead of a batch that cannot be read; OutvotedBlockError, or an error that `isMismatch`
   * accepts, instead of one that must be read again
   */
  async next(): Promise<Batch | undefined> {
    const { signal, transactionBlocks } = this.options;
    const batch = await this.batches.take();
    let blocks = await batch?.whenRead;
    if (signal.aborted || blocks === undefined) return undefined;
    for (;;) {
      const room = transactionBlocks - blocks.length;
      const next = this.batches.takeIf((each) => each.blocks !== undefined && each.blocks.length <= room);
      if (next?.blocks === undefined) return blocks;
      blocks = [...blocks, ...next.blocks];
    }
  }

  /** Fetches ranges of blocks. Never rejects: `completeAll` throws the error after the ranges before it. */
  private async fetch(after: ChainPoint): Promise<void> {
    try {
      await this.fetchAll(after);
      this.fetched.close();
    } catch (error) {
      this.fetched.close(asError(error));
    }
  }

  /** Completes fetched ranges to batches. Never rejects: `next` throws the error after the batches before it. */
  private async complete(): Promise<void> {
    try {
      await this.completeAll();
      this.end();
    } catch (error) {
      this.end(asError(error));
    }
  }

  private end(error?: Error): void {
    this.fetched.close();
    this.batches.close(error);
  }

  /** Puts ranges that follow one another into `fetched`. */
  private async fetchAll(after: ChainPoint): Promise<void> {
    const fetcher = new RangeFetcher(this.reader, this.lastIrreversible, this.options);
    let point = after;
    let comparison: Promise<Comparison> | undefined;
    while (point.number < this.options.endBlock) {
      const blocks = await fetcher.next(point);
      if (blocks[0]?.previous !== point.id) {
        // One of two nodes is wrong. If it returned the previous range, `completeAll` reports it.
        if ((await comparison) === 'outvoted') return;
        fetcher.rejectUnlinked();
        continue;
      }
      fetcher.acceptLinked();
      comparison = this.confirmations.confirm(blocks);
      // Handled by `completeAll`, if it gets there.
      comparison.catch(() => undefined);
      const items = blocks.reduce((sum, { transactions }) => sum + 1 + transactions.length, 0);
      if (!(await this.fetched.put({ blocks, timeBefore: point.timestamp, items, comparison }))) return;
      point = blocks.at(-1) ?? point;
    }
  }

  /**
   * Puts what was fetched into `batches` once it is confirmed.
   *
   * @throws OutvotedBlockError if the majority of the nodes has other blocks
   */
  private async completeAll(): Promise<void> {
    for (;;) {
      const range = await this.fetched.take();
      if (range === undefined) return;
      const comparison = await range.comparison;
      const last = range.blocks.at(-1);
      if (comparison === 'outvoted' && last) throw new OutvotedBlockError(last.number, last.id);
      if (comparison === 'not-compared') this.options.onNotCompared();
      const batch: PendingBatch = { whenRead: this.completeRange(range) };
      batch.whenRead.then(
        (blocks) => {
          batch.blocks = blocks;
        },
        // It may fail before it is taken, or never be taken.
        () => undefined,
      );
      if (!(await this.batches.put(batch))) return;
    }
  }

  private async completeRange({ blocks, timeBefore }: FetchedRange): Promise<Batch> {
    const byBlock = groupByBlock(await this.readVirtual(blocks));
    return blocks.map((block, index) => {
      const previousTimestamp = blocks[index - 1]?.timestamp ?? timeBefore;
      return followedBlock(block, previousTimestamp, byBlock.get(block.number) ?? [], this.options.isWanted);
    });
  }

  private async compare(blocks: readonly HiveBlock[]): Promise<Comparison> {
    const retry = new RetryPolicy(this.options);
    // The id of the last one covers the others, except for what is not hashed into it.
    const compared = blocks.filter((block, index) => block.hasExtensions || index === blocks.length - 1);
    let result: Comparison = 'agreed';
    for (const block of compared) {
      const compareOnce = (): Promise<Comparison> => {
        // Whether the lack of a block counts depends on the node's head: one that is stuck must not hold up the others
        // forever.
        this.lastIrreversible.refreshInBackground();
        return this.reader.compare(block);
      };
      const comparison = await retry.run(block.number, compareOnce);
      if (comparison === 'outvoted') return comparison;
      if (comparison === 'not-compared') result = comparison;
    }
    return result;
  }

  private async readVirtual(blocks: readonly HiveBlock[]): Promise<VirtualOperation[]> {
    const retry = new RetryPolicy(this.options);
    const size = new BlocksPerCall(blocks.length);
    let found: VirtualOperation[] = [];
    let rest = blocks;
    while (rest.length > 0) {
      const requested = rest.slice(0, size.current);
      try {
        found = found.concat(await untilAborted(this.reader.readVirtual(requested), this.options.signal));
      } catch (error) {
        // Waiting would not help if the blocks are what is untrue.
        if (isMismatch(error)) throw error;
        size.shrink();
        await retry.waitAfter(error, requested[0]?.number ?? 0);
        continue;
      }
      retry.succeed();
      size.grow();
      rest = rest.slice(requested.length);
    }
    return found;
  }
}

function countItems(ranges: readonly FetchedRange[]): number {
  return ranges.reduce((sum, { items }) => sum + items, 0);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('cannot read', { cause: error });
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
