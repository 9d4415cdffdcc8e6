import { FatalChainError, type FollowerStatus } from '@waggle/chain';
import { type Logger } from '../logging';

/** Part of an indexer that runs until the signal is aborted. */
export interface IndexerTask {
  /** Resolves when the task is done or the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** The work of an indexer. */
export interface IndexerTasks {
  readonly follower: IndexerTask & { readonly status: () => Pick<FollowerStatus, 'error'> };
  /** Tasks that run beside the follower. */
  readonly others?: readonly IndexerTask[];
}

/** Runs the tasks of an indexer, and knows the error that blocks it. */
export class IndexerRun {
  private failure: unknown;

  constructor(
    private readonly tasks: IndexerTasks,
    private readonly logger: Logger,
  ) {}

  /**
   * Resolves when the signal is aborted, or all tasks are done or have failed. The process then stays up, so that metrics and
   * readiness show the error: a restart would fail at the same block.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { follower, others = [] } = this.tasks;
    await Promise.all([follower, ...others].map((task) => this.runTask(task, signal)));
  }

  /** The error that blocks the indexer at the moment, or has stopped it. */
  get error(): unknown {
    return this.failure ?? this.tasks.follower.status().error;
  }

  private async runTask(task: IndexerTask, signal: AbortSignal): Promise<void> {
    try {
      await task.run(signal);
    } catch (err) {
      this.failure ??= err;
      // The follower has logged its own errors.
      if (!(err instanceof FatalChainError)) this.logger.fatal({ err }, 'the indexer cannot continue');
    }
  }
}
