import { setTimeout } from 'node:timers/promises';
import { BlockFollower, type BlockFollowerOptions } from '@waggle/chain';
import { Gauge, isDatabaseUnavailable, type Logger, ThrottledLog, type Registry } from '@waggle/service';
import { type Pool } from 'pg';
import { backfillName } from '../index-state/index-state';
import { findIndexState, getIndexState } from '../index-state/index-state.statements';
import { applyHistory } from './apply-history';
import { beginHistory, countMismatches, openHistory } from './backfill-statements';
import { historyHandlers, virtualOperationsOfHistory } from './operations';

/** How often it is asked whether the index has begun, or the database is back. */
const lookMs = 1_000;

export interface BackfillOptions {
  /** What the follower is given besides what is the backfill's own. */
  readonly follower: Pick<BlockFollowerOptions, 'api' | 'observe' | 'database' | 'batchBlocks' | 'pollIntervalMs'>;
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

  /** Resolves when it is done, or the signal is aborted. A database that is away is waited for. @throws FatalChainError */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (await this.proceed(signal)) return;
      } catch (err) {
        if (!isDatabaseUnavailable(err)) throw err;
        this.options.logger.warn({ err }, 'the backfill waits for the database');
      }
      await setTimeout(lookMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns whether it is done; else the index has not begun */
  private async proceed(signal: AbortSignal): Promise<boolean> {
    const { pool, firstBlock } = this.options;
    const state = await findIndexState(pool);
    if (state === undefined) return false;
    const from = state.backfillFrom ?? firstBlock;
    if (firstBlock < from) this.warnOfEarlier(from);
    if (state.historyFrom > from) {
      await this.follower(from, state.loadedFrom).run(signal);
      if (signal.aborted) return false;
      await this.finish(from);
    } else this.share.set(1);
    return true;
  }

  /** What follows was read without knowing what was before it. */
  private warnOfEarlier(from: number) {
    const { firstBlock, logger } = this.options;
    logger.warn(
      { firstBlock, from },
      'FIRST_BLOCK is before the block that earlier history was begun with, which stays: an index that begins further back begins with an empty database',
    );
  }

  private follower(from: number, endBlock: number): BlockFollower {
    const { logger, follower } = this.options;
    const line = new ThrottledLog<number>(
      (_leftOut, block) => {
        logger.info({ block, until: endBlock }, 'reading earlier history');
      },
      { kindOf: () => 'progress' },
    );
    return new BlockFollower({
      ...follower,
      name: backfillName,
      virtualOperations: virtualOperationsOfHistory,
      operationTypes: historyHandlers.types,
      endBlock,
      start: async (client) => {
        await beginHistory(client, from);
        return from;
      },
      apply: async (client, blocks) => {
        await applyHistory(client, blocks);
        const block = blocks.at(-1)?.number ?? from;
        this.share.set((block - from + 1) / (endBlock - from + 1));
        line.log(block);
      },
    });
  }

  /** The history is shown only where it leads to what the node said: else it lacks something, or the node was wrong. */
  private async finish(from: number) {
    const { logger, pool } = this.options;
    const state = await getIndexState(pool);
    const mismatches = await countMismatches(pool, state);
    this.mismatches.set(mismatches);
    if (mismatches > 0) {
      logger.error(
        { mismatches, from, until: state.loadedFrom },
        'earlier history does not lead to the delegations that the index began with, and is not shown: FIRST_BLOCK may have been after the first delegation (then begin with an empty database)',
      );
      return;
    }
    await openHistory(pool, from);
    this.share.set(1);
    logger.info({ from }, 'earlier history is complete');
  }
}
