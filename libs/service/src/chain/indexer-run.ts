import { FatalChainError, type FollowerStatus } from '@waggle/chain';
import { type Logger } from '../observability/logging';
import { ThrottledLog } from '../observability/throttled-log';

/** Interval at which the error that blocks an indexer is logged, in milliseconds. */
const blockingErrorPeriodMs = 60_000;

/** Part of an indexer that runs until the signal is aborted. */
export interface IndexerTask {
  /** Resolves when the task is done or the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** The work of an indexer. */
export interface IndexerTasks {
  readonly follower: IndexerTask & { readonly status: () => Pick<FollowerStatus, 'error' | 'processedBlock'> };
  /** Tasks that run beside the follower. */
  readonly others?: readonly IndexerTask[];
}

/** Runs the tasks of an indexer, and knows the error that blocks it. */
export class IndexerRun {
  private failure: unknown;
  private readonly blockingErrors: ThrottledLog;

  constructor(
    private readonly tasks: IndexerTasks,
    private readonly logger: Logger,
  ) {
    this.blockingErrors = new ThrottledLog(
      (leftOut, err) => {
        logger.warn({ err, leftOut }, 'the indexer does not follow the chain');
      },
      { periodMs: blockingErrorPeriodMs },
    );
  }

  /**
   * Resolves when the signal is aborted, or every task is done or failed. The process then stays up, so that metrics
   * and readiness show the error: a restart would fail at the same block.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { follower, others = [] } = this.tasks;
    await Promise.all([follower, ...others].map((task) => this.runTask(task, signal)));
  }

  /** The error that blocks the indexer at the moment, or stopped it. */
  get error(): unknown {
    return this.failure ?? this.tasks.follower.status().error;
  }

  /**
   * Rejects until the index has a block, and while an error blocks the indexer. Logs the error: a readiness report
   * contains only `down`.
   */
  requireFollowing(): Promise<void> {
    const { error } = this;
    if (error === undefined) {
      const isEmpty = this.tasks.follower.status().processedBlock === undefined;
      return isEmpty ? Promise.reject(new Error('the index has no block yet')) : Promise.resolve();
    }
    this.blockingErrors.log(error);
    return Promise.reject(new Error('the indexer does not follow the chain', { cause: error }));
  }

  private async runTask(task: IndexerTask, signal: AbortSignal): Promise<void> {
    try {
      await task.run(signal);
    } catch (err) {
      this.failure ??= err;
      // The follower logs its own errors.
      if (!(err instanceof FatalChainError)) this.logger.fatal({ err }, 'the indexer cannot continue');
    }
  }
}
