import { setTimeout } from 'node:timers/promises';
import {
  BlockFollower,
  FatalChainError,
  getBlockRange,
  type HiveApi,
  type HiveBlock,
  type HiveNodes,
} from '@waggle/chain';
import { type Logger, type Queryable, type Registry } from '@waggle/service';
import { type IndexerConfig } from '../config';
import { beginIndexState } from '../index-state/index-state';
import { applyBlocks } from './apply-blocks';
import { NodeFacts } from './chain-facts';
import { followerName } from './names';
import { handlers, virtualOperations } from './operations';

export interface IndexerOptions {
  readonly config: IndexerConfig;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly hive: HiveNodes;
}

/** Keeps the index of what accounts do with one another as the chain is. */
export class Indexer {
  private readonly follower: BlockFollower;
  private readonly logger: Logger;
  private failure: unknown;

  constructor({ config, logger, metrics, hive }: IndexerOptions) {
    this.logger = logger;
    const chain = new NodeFacts(hive);
    const { notificationDays } = config;
    this.follower = new BlockFollower({
      api: hive,
      logger,
      metrics,
      database: { url: config.database.url },
      name: followerName,
      virtualOperations,
      operationTypes: handlers.types,
      batchBlocks: config.blocksPerBatch,
      pollIntervalMs: config.pollIntervalMs,
      start: (client, signal) => beginIndex(client, signal, hive, config.startBlock),
      apply: (client, blocks) => {
        const irreversibleBlock = this.follower.status().irreversibleBlock ?? 0;
        return applyBlocks(client, blocks, { chain, notificationDays, irreversibleBlock });
      },
    });
  }

  /**
   * Resolves when the signal is aborted. Where the chain cannot be followed any further it waits for that all the same: to
   * start anew would end at the same block, and so metrics and readiness show it.
   */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.follower.run(signal);
    } catch (err) {
      this.failure = err;
      // A follower has told of its own failures.
      if (!(err instanceof FatalChainError)) this.logger.fatal({ err }, 'the indexer cannot go on');
    }
  }

  /** What keeps it from going on at the moment, or has ended it for good. */
  get fault(): unknown {
    return this.failure ?? this.follower.status().fault;
  }
}

/** Who was created before the first block of the index is met without a block that says so. */
async function beginIndex(client: Queryable, signal: AbortSignal, hive: HiveApi, startBlock: number): Promise<number> {
  const before = await getBlock(hive, Math.max(1, startBlock - 1), signal);
  await beginIndexState(client, before.timestamp, startBlock === 1);
  return startBlock;
}

const pollIntervalMs = 1_000;

/** As soon as it is there. */
async function getBlock(hive: HiveApi, number: number, signal: AbortSignal): Promise<HiveBlock> {
  for (;;) {
    const [block] = await getBlockRange(hive, number, 1);
    if (block !== undefined) return block;
    await setTimeout(pollIntervalMs, undefined, { signal });
  }
}
