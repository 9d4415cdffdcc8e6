import { type HiveBlock } from '../../api/block-api';
import { untilAborted } from '../abortable';
import { type IsWanted, withoutUnwanted } from '../followed-block';
import { type FollowerSettings } from '../options';
import { type RetryOptions, RetryPolicy } from '../retry-policy';
import { type ChainPoint } from '../writing/checkpoint';
import { type BlockReader } from './block-reader';
import { BlocksPerCall } from './blocks-per-call';
import { type LastIrreversibleBlock } from './last-irreversible-block';
import { type PrefetchLimits, RangePrefetch } from './range-prefetch';

interface RangeFetcherOptions
  extends RetryOptions, Pick<FollowerSettings, 'endBlock' | 'batchBlocks' | 'concurrentFetches'> {
  readonly isWanted: IsWanted;
}

/**
 * Fetches one range of irreversible blocks after another, and retries. Several ranges are fetched at once, so a range
 * may not follow the one before it: the caller checks that, and accepts or rejects each range.
 */
export class RangeFetcher {
  private readonly retry: RetryPolicy;
  private readonly size: BlocksPerCall;
  private readonly prefetch: RangePrefetch;
  private maxRanges: number;
  /** Whether the next range must follow its point: the blocks up to it are not outvoted. */
  private mustLink = false;

  constructor(
    private readonly reader: BlockReader,
    private readonly lastIrreversible: LastIrreversibleBlock,
    private readonly options: RangeFetcherOptions,
  ) {
    this.retry = new RetryPolicy(options);
    this.size = new BlocksPerCall(options.batchBlocks);
    this.prefetch = new RangePrefetch(reader, (block) => withoutUnwanted(block, options.isWanted));
    this.maxRanges = options.concurrentFetches;
  }

  /**
   * Returns the blocks after a point, at least one, once a node returns them.
   *
   * @throws as `RetryPolicy.waitAfter`
   */
  async next(point: ChainPoint): Promise<readonly HiveBlock[]> {
    for (;;) {
      try {
        return await this.fetch(point);
      } catch (error) {
        this.prefetch.clear();
        this.size.shrink();
        // While no node returns a range, more calls at once would only add to their load.
        this.maxRanges = 1;
        // The last irreversible block may come from a node that lies, or is ahead of all others.
        this.lastIrreversible.forget();
        await this.retry.waitAfter(error, point.number + 1);
      }
    }
  }

  /** The range follows its point. */
  acceptLinked(): void {
    this.retry.succeed();
    this.size.grow();
    this.maxRanges = this.options.concurrentFetches;
    this.mustLink = false;
  }

  /** The range does not follow its point, so it is fetched again, alone: a node that returns another one fails. */
  rejectUnlinked(): void {
    this.prefetch.clear();
    this.mustLink = true;
  }

  private async fetch(point: ChainPoint): Promise<readonly HiveBlock[]> {
    const { signal, endBlock } = this.options;
    const last = Math.min(await this.lastIrreversible.higherThan(point.number, signal), endBlock);
    const limits = { last, rangeBlocks: this.size.current, maxRanges: this.maxRanges };
    const blocks = this.mustLink ? this.readLinked(point, limits) : this.prefetch.next(point.number, limits);
    return await untilAborted(blocks, signal);
  }

  private async readLinked(point: ChainPoint, { last, rangeBlocks }: PrefetchLimits): Promise<readonly HiveBlock[]> {
    const blocks = await this.reader.readBlocks(point, Math.min(last, point.number + rangeBlocks));
    return blocks.map((block) => withoutUnwanted(block, this.options.isWanted));
  }
}
