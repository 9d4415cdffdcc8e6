import { type Logger, type Registry, RepeatedLine } from '@waggle/service';
import { type HeadBlocks } from './agreed-head';
import { type Checkpoint } from './checkpoint';
import { type FatalChainError, type OperationError } from './errors';
import { allContradict } from './faults';
import { type FollowedBlock } from './followed-block';
import { FollowerMetrics } from './follower-metrics';
import { type FollowerRole, type FollowerStatus } from './options';

/** How often a line is written of how far the follower has come while it catches up. */
const reportIntervalMs = 10_000;

/** Nearer to the end than this, it does not catch up but keep up. */
const nearBlocks = 20;

/** Where a follower is, as status, metrics and log lines. */
export class Progress {
  private current: FollowerStatus = {
    role: 'waiting',
    headBlock: undefined,
    irreversibleBlock: undefined,
    processedBlock: undefined,
    processedBlockTime: undefined,
    processedAt: undefined,
    fault: undefined,
  };
  private readonly metrics: FollowerMetrics;
  private readonly logger: Logger;
  private readonly faultLine: RepeatedLine;
  private readonly contradictionLine: RepeatedLine;
  private reportedAtMs = performance.now();
  private blocksSinceReport = 0;

  constructor(
    private readonly name: string,
    registry: Registry,
    logger: Logger,
    /** Infinity where there is none. */
    private readonly endBlock: number,
  ) {
    this.metrics = FollowerMetrics.of(registry);
    this.metrics.show(name, () => ({ ...this.current, endBlock }));
    this.logger = logger.child({ follower: name });
    this.contradictionLine = new RepeatedLine((leftOut, err) => {
      this.logger.error(
        { err, leftOut },
        'every node contradicts itself or the chain: nothing is applied until one does not',
      );
    });
    this.faultLine = new RepeatedLine((leftOut, err) => {
      this.logger.warn({ err, leftOut }, 'the block follower waits for a fault to pass');
    });
  }

  status(): FollowerStatus {
    return this.current;
  }

  take(role: FollowerRole): void {
    if (role === this.current.role) return;
    // To have a connection again is what was waited for.
    const fault = role === 'leader' || role === 'standby' ? undefined : this.current.fault;
    this.current = { ...this.current, role, fault };
    this.logger.info({ role, block: this.current.processedBlock }, `the block follower is ${role}`);
  }

  sawHead(head: HeadBlocks): void {
    const { processedBlock = -1, fault } = this.current;
    const isWell = processedBlock >= head.irreversibleBlock;
    this.current = { ...this.current, ...head, fault: isWell ? undefined : fault };
  }

  sawCheckpoint({ number, timestamp, appliedAt }: Checkpoint): void {
    const processed = { processedBlock: number, processedBlockTime: timestamp, processedAt: appliedAt };
    this.current = { ...this.current, ...processed };
  }

  applied(blocks: readonly FollowedBlock[]): void {
    const last = blocks.at(-1);
    if (last === undefined) return;
    this.sawCheckpoint({ ...last, appliedAt: new Date() });
    this.current = { ...this.current, fault: undefined };
    this.metrics.countBlocks(this.name, blocks.length);
    this.blocksSinceReport += blocks.length;
    this.report(last.number);
  }

  /** Something is away, and is waited for. */
  isHeldUp(fault: unknown): void {
    this.metrics.countFault(this.name);
    (allContradict(fault) ? this.contradictionLine : this.faultLine).say(fault);
    this.current = { ...this.current, fault: fault instanceof Error ? fault : new Error('unknown', { cause: fault }) };
  }

  /** An operation has another shape than its handler expects, and the nodes are asked for it again. */
  hasRefused(fault: OperationError): void {
    this.metrics.countFault(this.name);
    this.logger.warn(
      { err: fault, ...fault.place },
      'a node writes an operation in another shape: the next node is asked',
    );
    this.current = { ...this.current, fault };
  }

  hasFailed(fault: FatalChainError): void {
    this.current = { ...this.current, fault };
    const { block, operation } = fault.place ?? {};
    this.logger.fatal({ err: fault, block, operation }, 'the block follower has stopped');
  }

  private report(block: number): void {
    const nowMs = performance.now();
    const passedMs = nowMs - this.reportedAtMs;
    if (passedMs < reportIntervalMs) return;
    const target = Math.min(this.current.irreversibleBlock ?? block, this.endBlock);
    const blocksPerSecond = Math.round((this.blocksSinceReport / passedMs) * 1_000);
    this.reportedAtMs = nowMs;
    this.blocksSinceReport = 0;
    if (target - block < nearBlocks) return;
    this.logger.info({ block, target, blocksPerSecond }, 'the block follower catches up');
  }
}
