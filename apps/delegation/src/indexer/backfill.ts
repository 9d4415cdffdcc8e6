import { setTimeout } from 'node:timers/promises';
import { BlockFollower, type BlockFollowerOptions } from '@waggle/chain';
import { Gauge, isDatabaseUnavailable, type Logger, ThrottledLog, type Registry } from '@waggle/service';
import { type Pool } from 'pg';
import { backfillFollowerName } from '../index-state/index-state';
import { findIndexState, getIndexState } from '../index-state/index-state.statements';
import { applyHistory } from './apply-history';
import { setBackfillFrom, countMismatches, showHistoryFrom } from './backfill.statements';
import { historyHandlers, virtualOperationsOfHistory } from './operations';

/** Pause before the next attempt, while the index has not begun or the database is unavailable. */
const retryPauseMs = 1_000;

export interface BackfillOptions {
  /** Options that equal the main follower's. */
  readonly follower: Pick<BlockFollowerOptions, 'api' | 'observe' | 'database' | 'batchBlocks' | 'pollIntervalMs'>;
  readonly pool: Pool;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly firstBlock: number;
}

/**
 * Reads the history before the start of the index, from the first block on, in parallel with the main follower. It
 * becomes visible when it is complete, and continues from its checkpoint after a restart.
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
      help: 'Delegations whose earlier history does not lead to the amount that was loaded when the index began',
      registers,
    });
  }

  /**
   * Resolves when the backfill is done, or the signal is aborted. Retries while the database is unavailable.
   *
   * @throws FatalChainError
   */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (await this.proceed(signal)) return;
      } catch (err) {
        if (!isDatabaseUnavailable(err)) throw err;
        this.options.logger.warn({ err }, 'the backfill waits for the database');
      }
      await setTimeout(retryPauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Reads a part of the history. @returns whether the backfill is done: false if the index has not begun, or the signal
   * is aborted
   */
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

  /** The history from that block on was read without the blocks before it. */
  private warnOfEarlier(from: number): void {
    const { firstBlock, logger } = this.options;
    logger.warn(
      { firstBlock, from },
      'FIRST_BLOCK is before the first block of the backfill, which cannot change: to begin earlier, begin with an empty database',
    );
  }

  private follower(from: number, endBlock: number): BlockFollower {
    const { logger, follower } = this.options;
    const progressLog = new ThrottledLog<number>(
      (_leftOut, block) => {
        logger.info({ block, until: endBlock }, 'reading earlier history');
      },
      { kindOf: () => 'progress' },
    );
    return new BlockFollower({
      ...follower,
      name: backfillFollowerName,
      virtualOperations: virtualOperationsOfHistory,
      operationTypes: historyHandlers.types,
      endBlock,
      start: async (client) => {
        await setBackfillFrom(client, from);
        return from;
      },
      apply: async (client, blocks) => {
        await applyHistory(client, blocks);
        const block = blocks.at(-1)?.number ?? from;
        this.share.set((block - from + 1) / (endBlock - from + 1));
        progressLog.log(block);
      },
    });
  }

  /**
   * The history becomes visible only if it leads to the loaded amounts; otherwise it is incomplete, or the node was
   * wrong.
   */
  private async finish(from: number): Promise<void> {
    const { logger, pool } = this.options;
    this.share.set(1);
    const state = await getIndexState(pool);
    const mismatches = await countMismatches(pool, state);
    this.mismatches.set(mismatches);
    if (mismatches > 0) {
      logger.error(
        { mismatches, from, until: state.loadedFrom },
        'earlier history does not lead to the loaded delegations and stays hidden: FIRST_BLOCK may be after the first delegation (then begin with an empty database)',
      );
      return;
    }
    await showHistoryFrom(pool, from);
    logger.info({ from }, 'earlier history is complete');
  }
}
