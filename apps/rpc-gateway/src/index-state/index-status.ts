import { checkpointTable, type Logger, type Queryable, ThrottledLog, type RowIn, Statement } from '@waggle/service';
import { blockIntervalSeconds } from '../block-interval';
import { followerName } from './index-state';
import { type IndexContents, type IndexView } from './index-view';
import { indexStateTable } from './index-state.entity';

/** `$1` name of the follower. One row; none before the index was initialized. */
const selectContents = new Statement({
  name: 'index-state-contents',
  text: `
    SELECT s.index_id, s.first_block, s.begins, s.notifications_from, s.has_posts, s.has_votes, s.has_rankings, c.block_number, c.block_time
    FROM index_state s JOIN chain_checkpoint c ON c.name = $1`,
  parameters: { follower: checkpointTable.name },
  columns: {
    index_id: indexStateTable.indexId,
    first_block: indexStateTable.firstBlock,
    begins: indexStateTable.begins,
    notifications_from: indexStateTable.notificationsFrom,
    has_posts: indexStateTable.hasPosts,
    has_votes: indexStateTable.hasVotes,
    has_rankings: indexStateTable.hasRankings,
    block_number: checkpointTable.blockNumber,
    block_time: checkpointTable.blockTime,
  },
});

/** The head of the chain, as nodes report it. */
export interface IrreversibleHead {
  /** The last irreversible block; undefined until a node reports it. */
  readonly irreversibleBlock: number | undefined;
  /** Time since a node last reported its head, in milliseconds. */
  readonly reportAgeMs: number;
  /** Whether that was so recently that the time since then does not count as lag. */
  readonly hasRecentReport: boolean;
}

export interface IndexSettings {
  /** Maximum lag behind the last irreversible block. Beyond it, calls of local methods are forwarded. */
  readonly maxLagSeconds: number;
  /** The age of the last poll beyond which the index counts as unreadable; default: 2,000. */
  readonly maxAgeMs?: number;
}

export interface IndexStatusOptions extends IndexSettings {
  readonly database: Queryable;
  readonly head: IrreversibleHead;
  readonly logger: Logger;
}

const pollIntervalMs = 250;
/** Several polls. A database that does not respond to them does not respond to calls either. */
const defaultMaxAgeMs = 2_000;

/** Knows what the index contains and how far it is behind the chain, by polling one row. */
export class IndexStatus {
  private contents: IndexView['contents'] = 'unreadable';
  private readAtMs = -Infinity;
  /** The statement that runs, or ran last. */
  private reading: Promise<void> = Promise.resolve();
  /** The statement after it, which all callers wait for that come before it starts; undefined without any. */
  private next: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly failures: ThrottledLog;

  constructor(private readonly options: IndexStatusOptions) {
    this.failures = ThrottledLog.warnings(options.logger, 'the index cannot be read: local methods are forwarded');
  }

  /** Resolves after the first poll, even if it fails. */
  async start(): Promise<void> {
    this.timer = setInterval(() => {
      // A slow poll is not followed by another that would only wait for it.
      if (this.next === undefined) void this.refresh();
    }, pollIntervalMs);
    await this.refresh();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** The index as of the last poll. */
  get view(): IndexView {
    const isOld = performance.now() - this.readAtMs > (this.options.maxAgeMs ?? defaultMaxAgeMs);
    const contents = isOld ? 'unreadable' : this.contents;
    const { head, maxLagSeconds } = this.options;
    return { contents, lag: typeof contents === 'string' ? undefined : lagOf(contents.block, head), maxLagSeconds };
  }

  /**
   * Reads the state after this call and returns it. Concurrent callers share one statement, so that checking the state
   * after every local call costs little under load. Never rejects.
   */
  async refresh(): Promise<IndexView> {
    this.next ??= this.reading.then(() => {
      this.next = undefined;
      this.reading = this.read();
      return this.reading;
    });
    await this.next;
    return this.view;
  }

  private async read(): Promise<void> {
    const startedMs = performance.now();
    try {
      const row = await selectContents.find(this.options.database, { follower: followerName });
      this.contents = row === undefined || row.block_time === null ? 'not-started' : contentsOf(row, row.block_time);
    } catch (error) {
      this.failures.log(error);
      this.contents = 'unreadable';
    }
    this.readAtMs = startedMs;
  }
}

function contentsOf(row: RowIn<typeof selectContents>, blockTime: Date): IndexContents {
  return {
    indexId: row.index_id,
    firstBlock: row.first_block,
    begins: row.begins,
    notificationsFrom: row.notifications_from,
    hasPosts: row.has_posts,
    hasVotes: row.has_votes,
    hasRankings: row.has_rankings,
    block: Number(row.block_number),
    blockTime,
  };
}

function lagOf(block: number, { irreversibleBlock, reportAgeMs, hasRecentReport }: IrreversibleHead): IndexView['lag'] {
  if (irreversibleBlock === undefined) return undefined;
  const blocks = Math.max(0, irreversibleBlock - block);
  const silentMs = hasRecentReport ? 0 : reportAgeMs;
  return { blocks, seconds: blocks * blockIntervalSeconds + Math.floor(silentMs / 1_000) };
}
