import { catchUpProgress, type FollowerRole, type FollowerStatus, type ObservedStatus } from '@waggle/chain';
import { Counter, Gauge, type Registry } from 'prom-client';

type Status = () => ObservedStatus;

const roles: readonly FollowerRole[] = ['waiting', 'standby', 'leader', 'ended'];

/**
 * Metrics of all followers of a process, each with its name as label. Gauges are read from the status at collection.
 */
export class FollowerMetrics {
  private readonly statusByName = new Map<string, Status>();
  readonly blocks: Counter<'follower'>;
  readonly errors: Counter<'follower'>;
  readonly notCompared: Counter<'follower'>;

  constructor(private readonly registry: Registry) {
    const labelNames = ['follower'] as const;
    const registers = [registry];
    this.blocks = new Counter({ name: 'chain_follower_blocks_total', help: 'Blocks applied', labelNames, registers });
    this.errors = new Counter({
      name: 'chain_follower_errors_total',
      help: 'Errors of nodes or the database after which the follower tried again',
      labelNames,
      registers,
    });
    this.notCompared = new Counter({
      name: 'chain_follower_ranges_not_compared_total',
      help: 'Ranges of blocks that were applied although no second node could confirm them',
      labelNames,
      registers,
    });
    this.gauge('head_block', 'Head block, as last read from the nodes', ({ headBlock }) => headBlock);
    this.gauge('irreversible_block', 'Last irreversible block', ({ irreversibleBlock }) => irreversibleBlock);
    this.gauge('processed_block', 'Last block applied', ({ processedBlock }) => processedBlock);
    this.gauge('lag_blocks', 'Irreversible blocks still to be applied', lagBlocks);
    this.gauge('lag_seconds', 'Age of the last block applied', lagSeconds);
    const perSecond = 'Blocks applied per second in the last half minute';
    this.gauge('blocks_per_second', perSecond, ({ blocksPerSecond }) => blocksPerSecond);
    this.gauge('eta_seconds', 'Time until the follower has caught up, at its present rate; 0 if it has', etaSeconds);
    this.gauge(
      'contradicted',
      '1 while nothing is applied because every node contradicts itself, another node or the chain',
      ({ isContradicted }) => (isContradicted ? 1 : 0),
    );
    const role = new Gauge({
      name: 'chain_follower_role',
      help: '1 for the role that the follower has',
      labelNames: ['follower', 'role'],
      registers,
      collect: () => {
        for (const [follower, status] of this.statusByName)
          for (const one of roles) role.set({ follower, role: one }, status().role === one ? 1 : 0);
      },
    });
  }

  /** Replaces the status of an earlier follower of this name. */
  show(name: string, status: Status): void {
    this.statusByName.set(name, status);
    this.blocks.inc({ follower: name }, 0);
    this.errors.inc({ follower: name }, 0);
    this.notCompared.inc({ follower: name }, 0);
  }

  private gauge(name: string, help: string, valueOf: (status: ObservedStatus) => number | undefined): void {
    const gauge = new Gauge({
      name: `chain_follower_${name}`,
      help,
      labelNames: ['follower'],
      registers: [this.registry],
      collect: () => {
        for (const [follower, status] of this.statusByName) {
          const value = valueOf(status());
          if (value !== undefined) gauge.set({ follower }, value);
        }
      },
    });
  }
}

function lagBlocks({ irreversibleBlock, processedBlock, endBlock }: ObservedStatus): number | undefined {
  if (irreversibleBlock === undefined || processedBlock === undefined) return undefined;
  return Math.max(0, Math.min(irreversibleBlock, endBlock) - processedBlock);
}

function lagSeconds({ processedBlockTime }: FollowerStatus): number | undefined {
  return processedBlockTime && Math.max(0, (Date.now() - processedBlockTime.getTime()) / 1_000);
}

function etaSeconds(status: ObservedStatus): number | undefined {
  const progress = catchUpProgress(status);
  return progress === undefined ? 0 : progress.etaSeconds;
}
