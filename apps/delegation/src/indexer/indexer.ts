import { BlockFollower, FatalChainError, type HiveClient } from '@waggle/chain';
import { Counter, Gauge, type Logger, type Registry } from '@waggle/service';
import { followerDatabase, type HiveClientObserver, observeFollowers } from '@waggle/service/chain';
import { type Pool } from 'pg';
import { type IndexerConfig } from '../config';
import { applyBlocks } from './apply-blocks';
import { Backfill } from './backfill';
import { beginIndex } from './loading/begin-index';
import { followerName } from './names';
import { handlers, virtualOperations } from './operations';

export interface IndexerOptions {
  readonly config: IndexerConfig;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly hive: HiveClient;
  readonly hiveObserver: HiveClientObserver;
  readonly pool: Pool;
}

/** Keeps the index of delegations as the chain is, and reads its earlier history where that is wanted. */
export class Indexer {
  private readonly follower: BlockFollower;
  private readonly backfill: Backfill | undefined;
  private readonly logger: Logger;
  private failure: unknown;

  constructor({ config, logger, metrics, hive, hiveObserver, pool }: IndexerOptions) {
    this.logger = logger;
    const loaded = new Gauge({
      name: 'delegation_loaded',
      help: 'Delegations that were loaded from a node when the index began',
      registers: [metrics],
    });
    const changes = new Counter({
      name: 'delegation_changes_total',
      help: 'Changes of delegations that this process has applied, also where the database then failed',
      registers: [metrics],
    });
    const shared = {
      api: hive,
      observe: observeFollowers(metrics, logger),
      database: followerDatabase(config.database.url),
      batchBlocks: config.blocksPerBatch,
      pollIntervalMs: config.pollIntervalMs,
    };
    this.follower = new BlockFollower({
      ...shared,
      name: followerName,
      virtualOperations,
      operationTypes: handlers.types,
      start: (client, signal) =>
        beginIndex(client, signal, {
          config,
          logger,
          hiveObserver,
          onProgress: (delegations) => {
            loaded.set(delegations);
          },
        }),
      apply: async (client, blocks) => {
        changes.inc(await applyBlocks(client, blocks, this.follower.status().irreversibleBlock ?? 0));
      },
    });
    this.backfill = config.backfills
      ? new Backfill({ follower: shared, pool, logger, metrics, firstBlock: config.firstBlock })
      : undefined;
  }

  /**
   * Resolves when the signal is aborted. Where the chain cannot be followed any further it waits for that all the same: to
   * start anew would end at the same block, and so metrics and readiness show it.
   */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.runToTheEnd(this.follower, signal),
      this.backfill && this.runToTheEnd(this.backfill, signal),
    ]);
  }

  /** What keeps it from going on at the moment, or has ended it for good. */
  get error(): unknown {
    return this.failure ?? this.follower.status().error;
  }

  private async runToTheEnd(part: { run: (signal: AbortSignal) => Promise<void> }, signal: AbortSignal) {
    try {
      await part.run(signal);
    } catch (err) {
      this.failure ??= err;
      // A follower has told of its own failures.
      if (!(err instanceof FatalChainError)) this.logger.fatal({ err }, 'the indexer cannot go on');
    }
  }
}
