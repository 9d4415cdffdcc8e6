import { type HiveBlock } from '../../api/block-api';
import { type BlockReader } from './block-reader';

export interface PrefetchLimits {
  /** The last block that may be fetched. */
  readonly last: number;
  /** Blocks per range. */
  readonly rangeBlocks: number;
  /** Maximum number of ranges that are being fetched, or wait for their turn. */
  readonly maxRanges: number;
}

interface RangeFetch {
  readonly first: number;
  readonly last: number;
  readonly blocks: Promise<readonly HiveBlock[]>;
}

/**
 * Fetches ranges of blocks concurrently and returns them in order. The client spreads concurrent calls over the nodes
 * by their latency and load. Each range is verified by itself; that it follows the previous one is for the caller to
 * verify.
 */
export class RangePrefetch {
  /** In ascending order, without gaps. */
  private ranges: RangeFetch[] = [];

  /**
   * @param reduce is applied to each block when it arrives, so that it holds no more memory than necessary while it
   * waits
   */
  constructor(
    private readonly reader: Pick<BlockReader, 'readBlocks'>,
    private readonly reduce: (block: HiveBlock) => HiveBlock,
  ) {}

  /**
   * Returns the blocks after this one: at least one, and at most one range.
   *
   * @throws the error of the range that begins with the next block; errors of later ranges are thrown when it is their
   * turn
   */
  next(after: number, limits: PrefetchLimits): Promise<readonly HiveBlock[]> {
    const [earliest] = this.ranges;
    // A node may return fewer blocks than requested: the rest of its range is fetched first.
    if (earliest !== undefined && earliest.first > after + 1)
      this.ranges.unshift(this.fetch(after, earliest.first - 1));
    this.extend(after, limits);
    return this.ranges.shift()?.blocks ?? Promise.reject(new RangeError(`there is no block after ${after} to fetch`));
  }

  /** Drops what was fetched ahead. Running calls end by themselves. */
  clear(): void {
    this.ranges = [];
  }

  private extend(after: number, { last, rangeBlocks, maxRanges }: PrefetchLimits): void {
    let end = this.ranges.at(-1)?.last ?? after;
    while (this.ranges.length < maxRanges && end < last) {
      const range = this.fetch(end, Math.min(end + rangeBlocks, last));
      this.ranges.push(range);
      end = range.last;
    }
  }

  private fetch(after: number, last: number): RangeFetch {
    const blocks = this.reader
      .readBlocks({ number: after, id: undefined }, last)
      .then((read) => read.map((block) => this.reduce(block)));
    // Handled when its turn comes, if it does.
    blocks.catch(() => undefined);
    return { first: after + 1, last, blocks };
  }
}
