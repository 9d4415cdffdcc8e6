import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Counter, inTransaction, LOGGER, type Logger, POOL, Registry, ThrottledLog } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { BackgroundTask } from '../background-task';
import { batchRows, RetentionStore } from './retention.store';

/** For how long messages are kept. */
export interface RetentionSettings {
  /** Messages are deleted after this many days, at most one day later; never if undefined. */
  readonly messageDays: number | undefined;
}

/** Injects the `RetentionSettings`. */
export const RETENTION_SETTINGS = Symbol('RetentionSettings');

/** Pause between sweeps, in milliseconds. */
const sweepIntervalMs = 60_000;
/** The pause after a batch: a factor of its duration, and a minimum. Requests of users take precedence. */
const pauseFactor = 4;
const minPauseMs = 100;

/** The removal of rows from one table, in batches. */
interface Removal {
  table: string;
  /** Deletes one batch. @returns the number of deleted rows, and whether there may be more */
  removeBatch: (client: ClientBase) => Promise<{ removed: number; isMore: boolean }>;
}

/**
 * Deletes expired rows and, if `MESSAGE_RETENTION_DAYS` is set, messages older than that;
 * `RetentionStore.removeMessages` defines the exact time. Each batch is a transaction, and only one instance deletes at
 * a time: another one that tries skips the sweep. It can stop after any batch.
 */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: BackgroundTask;
  private readonly removed: Counter<'table'>;

  constructor(
    private readonly store: RetentionStore,
    @Inject(Registry) metrics: Registry,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(RETENTION_SETTINGS) private readonly settings: RetentionSettings,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.removed = new Counter({
      name: 'chat_rows_removed_total',
      help: 'Expired rows that this instance has deleted, by table',
      labelNames: ['table'],
      registers: [metrics],
    });
    const sweep = async () => {
      await this.sweep();
      return sweepIntervalMs;
    };
    this.task = new BackgroundTask(sweep, ThrottledLog.errors(logger, 'cannot delete expired rows'), sweepIntervalMs);
  }

  onApplicationBootstrap(): void {
    void this.task.start(sweepIntervalMs);
  }

  /** Waits for the current batch. */
  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /** Deletes all rows that are expired now. */
  async sweep(): Promise<void> {
    for (const removal of this.removals()) {
      while (!this.task.isStopping) {
        const startedAtMs = performance.now();
        if (!(await this.removeBatch(removal))) break;
        await this.task.pause(Math.max(minPauseMs, pauseFactor * (performance.now() - startedAtMs)));
      }
    }
  }

  /** Returns what is removed, in order. */
  private removals(): Removal[] {
    const { store } = this;
    const days = this.settings.messageDays;
    /** A batch that is full may not be the last. */
    const counted = (removed: number) => ({ removed, isMore: removed === batchRows });
    const removals: Removal[] = [
      { table: 'commit_log', removeBatch: async (client) => counted(await store.removeCommits(client)) },
      { table: 'event', removeBatch: async (client) => counted(await store.removeEvents(client)) },
      { table: 'session', removeBatch: async (client) => counted(await store.removeSessions(client)) },
    ];
    if (days === undefined) return removals;
    const removeMessages: Removal['removeBatch'] = async (client) => {
      const { removed, updated } = await store.removeMessages(client, days);
      return { removed, isMore: removed > 0 || updated > 0 };
    };
    return [
      ...removals,
      {
        table: 'conversation_change',
        removeBatch: async (client) => counted(await store.removeConversationChanges(client, days)),
      },
      { table: 'draft', removeBatch: async (client) => counted(await store.removeDrafts(client, days)) },
      { table: 'message', removeBatch: removeMessages },
    ];
  }

  /**
   * Deletes one batch, if no other instance does. @returns whether there may be more rows for this instance to delete
   */
  private async removeBatch({ table, removeBatch }: Removal): Promise<boolean> {
    const done = await inTransaction(this.pool, async (client) =>
      (await this.store.tryLock(client)) ? removeBatch(client) : undefined,
    );
    this.removed.inc({ table }, done?.removed ?? 0);
    return done?.isMore === true;
  }
}
