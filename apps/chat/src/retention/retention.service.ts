import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { inTransaction, LOGGER, type Logger, POOL, RepeatedLine } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { RetentionMetrics } from './retention.metrics';
import { batchMost, RetentionStore } from './retention.store';

/** How often an instance looks for old rows. */
const sweepEveryMs = 60_000;
/** After each batch it rests at least so long, and so many times longer than the batch took: what users do comes first. */
const restLeastMs = 100;
const restFactor = 4;

/** Rows of one table that are removed in batches. */
interface Removal {
  table: string;
  /** @returns how many rows went, and whether there may be more of them */
  removeBatch: (client: ClientBase) => Promise<{ removed: number; isMore: boolean }>;
}

/**
 * Removes what nobody needs any more, and messages that are too old where the configuration says so. In batches, each a
 * transaction that only one instance at a time may make: of two that are at it the one that finds the other leaves it
 * for this time. Wherever it stops, what is left is as if it had not begun.
 */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private working: Promise<void> | undefined;
  private readonly faults: RepeatedLine;

  constructor(
    private readonly store: RetentionStore,
    private readonly metrics: RetentionMetrics,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CHAT_CONFIG) private readonly config: Pick<ChatConfig, 'retention'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.faults = new RepeatedLine((leftOut, err) => {
      logger.error({ err, leftOut }, 'cannot remove what is old');
    });
  }

  onApplicationBootstrap() {
    this.working = this.work();
  }

  /** The batch under way is finished. */
  async onModuleDestroy() {
    this.stopping.abort();
    await this.working;
  }

  /** Removes all that is old now. */
  async sweep(): Promise<void> {
    for (const removal of this.removals()) {
      while (!this.stopping.signal.aborted) {
        const startedAtMs = performance.now();
        if (!(await this.removeBatch(removal))) break;
        await this.rest(Math.max(restLeastMs, restFactor * (performance.now() - startedAtMs)));
      }
    }
  }

  private removals(): Removal[] {
    const { store } = this;
    const days = this.config.retention.messageDays;
    const counted = (removed: number) => ({ removed, isMore: removed === batchMost });
    const removals: Removal[] = [
      { table: 'commit_log', removeBatch: async (client) => counted(await store.removeCommits(client)) },
      { table: 'event', removeBatch: async (client) => counted(await store.removeEvents(client)) },
      { table: 'session', removeBatch: async (client) => counted(await store.removeSessions(client)) },
    ];
    if (days === undefined) return removals;
    const removeBatch: Removal['removeBatch'] = async (client) => {
      const { removed, noted } = await store.removeMessages(client, days);
      return { removed, isMore: removed > 0 || noted > 0 };
    };
    return [...removals, { table: 'message', removeBatch }];
  }

  /** @returns whether there may be more for this instance to remove */
  private async removeBatch({ table, removeBatch }: Removal): Promise<boolean> {
    const done = await inTransaction(this.pool, async (client) =>
      (await this.store.claim(client)) ? removeBatch(client) : undefined,
    );
    this.metrics.removed.inc({ table }, done?.removed ?? 0);
    return done?.isMore === true;
  }

  private async work() {
    for (;;) {
      await this.rest(sweepEveryMs);
      if (this.stopping.signal.aborted) return;
      try {
        await this.sweep();
      } catch (error) {
        this.faults.say(error);
      }
    }
  }

  private async rest(ms: number) {
    await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => {
      // It is to stop.
    });
  }
}
