import { setTimeout } from 'node:timers/promises';
import { BlockFollower, type BlockFollowerOptions } from '@waggle/chain';
import { Gauge, inTransaction, type Logger, RepeatedLine, type Registry } from '@waggle/service';
import { type Pool } from 'pg';
import { type IndexState } from '../index-state/index-state';
import { findIndexState } from '../index-state/index-state.statements';
import { applyHistory } from './apply-history';
import { countMismatches, openHistory } from './backfill-statements';
import { backfillName } from './names';
import { operationTypes, virtualOperationsOfHistory } from './operations';

/** How often it is asked whether the index has begun. */
const lookMs = 1_000;

export interface BackfillOptions {
  /** What the follower is given besides what is the backfill's own. */
  readonly follower: Pick<
    BlockFollowerOptions,
    'api' | 'logger' | 'metrics' | 'database' | 'batchBlocks' | 'pollIntervalMs'
  >;
  readonly pool: Pool;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly firstBlock: number;
}

/**
 * Reads the history from before the index began, beside the follower, from the first block on. It is shown when it has
 * reached what is there: until then it is on its way, and goes on after a restart where it was.
 */
export class Backfill {
  private readonly share: Gauge;
  private readonly mismatches: Gauge;

  constructor(private readonly options: BackfillOptions) {
    const registers = [options.metrics];
    this.share = new Gauge({
      name: 'delegation_backfill_ratio',
      help: 'How much of the history before the index began has been read, from 0 to 1',
      registers,
    });
    this.mismatches = new Gauge({
      name: 'delegation_backfill_mismatches',
      help: 'Delegations that the history leaves otherwise than the node said when the index began',
      registers,
    });
  }

  /** Resolves when it is done, or the signal is aborted. @throws FatalChainError */
  async run(signal: AbortSignal): Promise<void> {
    const state = await this.untilBegun(signal);
    if (state === undefined || state.historyFrom <= this.options.firstBlock) {
      this.share.set(1);
      return;
    }
    await this.follower(state.loadedFrom).run(signal);
    if (!signal.aborted) await this.finish(state);
  }

  private follower(endBlock: number): BlockFollower {
    const { firstBlock, logger, follower } = this.options;
    const line = new RepeatedLine<number>(
      (_leftOut, block) => {
        logger.info({ block, until: endBlock }, 'reading earlier history');
      },
      { kindOf: () => 'progress' },
    );
    return new BlockFollower({
      ...follower,
      name: backfillName,
      virtualOperations: virtualOperationsOfHistory,
      operationTypes,
      endBlock,
      start: () => Promise.resolve(firstBlock),
      apply: async (client, blocks) => {
        await applyHistory(client, blocks);
        const block = blocks.at(-1)?.number ?? firstBlock;
        this.share.set((block - firstBlock + 1) / (endBlock - firstBlock + 1));
        line.say(block);
      },
    });
  }

  /** The history is shown only where it leads to what the node said: else it lacks something, or the node was wrong. */
  private async finish(state: IndexState) {
    const { firstBlock, logger, pool } = this.options;
    const now = (await findIndexState(pool)) ?? state;
    const mismatches = await countMismatches(pool, now);
    this.mismatches.set(mismatches);
    if (mismatches > 0) {
      logger.error(
        { mismatches, firstBlock, until: state.loadedFrom },
        'earlier history does not lead to the delegations that the index began with, and is not shown: FIRST_BLOCK may be after the first delegation',
      );
      return;
    }
    await inTransaction(pool, (client) => openHistory(client, firstBlock));
    this.share.set(1);
    logger.info({ firstBlock }, 'earlier history is complete');
  }

  private async untilBegun(signal: AbortSignal): Promise<IndexState | undefined> {
    while (!signal.aborted) {
      const state = await findIndexState(this.options.pool);
      if (state !== undefined) return state;
      await setTimeout(lookMs, undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  }
}
