import { type FollowerObserver, type ObserveFollower } from '@waggle/chain';
import { type Registry } from 'prom-client';
import { type Logger } from '../logging';
import { RepeatedLine } from '../repeated-line';
import { FollowerMetrics } from './follower-metrics';

/** Counts and logs what the followers of a process do. Call it once per registry. */
export function observeFollowers(registry: Registry, logger: Logger): ObserveFollower {
  const metrics = new FollowerMetrics(registry);
  return (name, status): FollowerObserver => {
    metrics.show(name, status);
    const lines = logger.child({ follower: name });
    const contradictions = new RepeatedLine((leftOut, err) => {
      const text = 'every node contradicts itself or the chain: nothing is applied until one does not';
      lines.error({ err, leftOut }, text);
    });
    const retries = new RepeatedLine((leftOut, err) => {
      lines.warn({ err, leftOut }, 'the block follower waits for a fault to pass');
    });
    return {
      onRole: (role) => {
        lines.info({ role, block: status().processedBlock }, `the block follower is ${role}`);
      },
      onApplied: (count) => {
        metrics.countBlocks(name, count);
      },
      onCatchUp: (progress) => {
        lines.info(progress, 'the block follower catches up');
      },
      onRetry: (error, isContradiction) => {
        metrics.countFault(name);
        (isContradiction ? contradictions : retries).say(error);
      },
      onUndecodable: (err) => {
        metrics.countFault(name);
        const text = 'a node returns an operation in a format that the handler cannot decode: another node is asked';
        lines.error({ err, ...err.place }, text);
      },
      onNotCompared: () => {
        metrics.countNotCompared(name);
      },
      onStop: (err) => {
        const { block, operation } = err.place ?? {};
        lines.fatal({ err, block, operation }, 'the block follower has stopped');
      },
    };
  };
}
