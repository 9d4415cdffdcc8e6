import {
  catchUpProgress,
  type CatchUpProgress,
  type FatalChainError,
  type FollowerObserver,
  type FollowerRole,
  type ObservedStatus,
  type ObserveFollower,
  type OperationFormatError,
} from '@waggle/chain';
import { type Registry } from 'prom-client';
import { type Logger } from '../observability/logging';
import { ThrottledLog } from '../observability/throttled-log';
import { FollowerMetrics } from './follower-metrics';
import { ProgressBar, type Terminal } from './progress-bar';

/** Interval at which progress is logged if there is no terminal, in milliseconds. */
const progressIntervalMs = 10_000;

/**
 * Counts and logs what the followers of a process do. Call it once per registry. While they catch up, a terminal shows
 * a progress bar; without one their progress is logged every ten seconds.
 */
export function observeFollowers(
  registry: Registry,
  logger: Logger,
  terminal: Terminal = process.stdout,
): ObserveFollower {
  const metrics = new FollowerMetrics(registry);
  const bar = terminal.isTTY ? new ProgressBar(terminal) : undefined;
  return (name, status) => {
    metrics.show(name, status);
    const lines = logger.child({ follower: name });
    const progressLog = new ProgressLog(lines);
    const onProgress = (progress: CatchUpProgress | undefined): void => {
      if (bar) bar.update(name, progress);
      else progressLog.update(progress);
    };
    return new MeasuredFollower(name, status, metrics, lines, onProgress);
  };
}

/** Counts and logs what one follower does. */
class MeasuredFollower implements FollowerObserver {
  private readonly contradictions: ThrottledLog;
  private readonly retries: ThrottledLog;

  constructor(
    private readonly name: string,
    private readonly status: () => ObservedStatus,
    private readonly metrics: FollowerMetrics,
    private readonly logger: Logger,
    /** Called after each batch; without progress, the follower has caught up. */
    private readonly onProgress: (progress: CatchUpProgress | undefined) => void,
  ) {
    this.contradictions = ThrottledLog.errors(
      logger,
      'every node contradicts itself or the chain: no block is applied until one of them is consistent',
    );
    this.retries = ThrottledLog.warnings(logger, 'the block follower retries after an error');
  }

  onRole(role: FollowerRole): void {
    this.logger.info({ role, block: this.status().processedBlock }, `the block follower is ${role}`);
  }

  onApplied(count: number): void {
    this.metrics.blocks.inc({ follower: this.name }, count);
    this.onProgress(catchUpProgress(this.status()));
  }

  onRetry(error: unknown, isContradiction: boolean): void {
    this.metrics.errors.inc({ follower: this.name });
    (isContradiction ? this.contradictions : this.retries).log(error);
  }

  onUndecodable(err: OperationFormatError): void {
    this.metrics.errors.inc({ follower: this.name });
    this.logger.error(
      { err, ...err.position },
      'a node returns an operation in a format that the handler cannot decode: the block is read from another node',
    );
  }

  onNotCompared(): void {
    this.metrics.notCompared.inc({ follower: this.name });
  }

  onStop(err: FatalChainError): void {
    const { block, operation } = err.position ?? {};
    this.logger.fatal({ err, block, operation }, 'the block follower has stopped');
  }
}

/** Logs the progress of a follower every ten seconds. */
class ProgressLog {
  private reportedAtMs = performance.now();

  constructor(private readonly logger: Logger) {}

  update(progress: CatchUpProgress | undefined): void {
    const nowMs = performance.now();
    if (nowMs - this.reportedAtMs < progressIntervalMs) return;
    this.reportedAtMs = nowMs;
    if (progress !== undefined) this.logger.info(rounded(progress), 'the block follower is catching up');
  }
}

function rounded({ blocksPerSecond, etaSeconds, ...progress }: CatchUpProgress): object {
  return {
    ...progress,
    blocksPerSecond: Math.round(blocksPerSecond),
    ...(etaSeconds === undefined ? {} : { etaSeconds: Math.round(etaSeconds) }),
  };
}
