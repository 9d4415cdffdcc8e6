import { catchUpProgress, type CatchUpProgress, type FollowerObserver, type ObserveFollower } from '@waggle/chain';
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
  return (name, status): FollowerObserver => {
    metrics.show(name, status);
    const lines = logger.child({ follower: name });
    const contradictions = ThrottledLog.errors(
      lines,
      'every node contradicts itself or the chain: no block is applied until one of them is consistent',
    );
    const retries = ThrottledLog.warnings(lines, 'the block follower retries after an error');
    let reportedAtMs = performance.now();
    const logProgress = (): void => {
      const nowMs = performance.now();
      if (nowMs - reportedAtMs < progressIntervalMs) return;
      reportedAtMs = nowMs;
      const progress = catchUpProgress(status());
      if (progress !== undefined) lines.info(rounded(progress), 'the block follower is catching up');
    };
    return {
      onRole: (role) => {
        lines.info({ role, block: status().processedBlock }, `the block follower is ${role}`);
      },
      onApplied: (count) => {
        metrics.blocks.inc({ follower: name }, count);
        if (bar) bar.update(name, catchUpProgress(status()));
        else logProgress();
      },
      onRetry: (error, isContradiction) => {
        metrics.errors.inc({ follower: name });
        (isContradiction ? contradictions : retries).log(error);
      },
      onUndecodable: (err) => {
        metrics.errors.inc({ follower: name });
        const text =
          'a node returns an operation in a format that the handler cannot decode: the block is read from another node';
        lines.error({ err, ...err.position }, text);
      },
      onNotCompared: () => {
        metrics.notCompared.inc({ follower: name });
      },
      onStop: (err) => {
        const { block, operation } = err.position ?? {};
        lines.fatal({ err, block, operation }, 'the block follower has stopped');
      },
    };
  };
}

function rounded({ blocksPerSecond, etaSeconds, ...progress }: CatchUpProgress): object {
  return {
    ...progress,
    blocksPerSecond: Math.round(blocksPerSecond),
    ...(etaSeconds === undefined ? {} : { etaSeconds: Math.round(etaSeconds) }),
  };
}
