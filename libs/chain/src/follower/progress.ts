import { type Logger, type Registry, RepeatedLine } from '@waggle/service';
import { type HeadBlocks } from './agreed-head';
import { type Checkpoint } from './checkpoint';
import { type FatalChainError, type OperationFormatError } from './errors';
import { allContradict } from './faults';
import { type FollowedBlock } from './followed-block';
import { FollowerMetrics } from './follower-metrics';
import { type FollowerRole, type FollowerStatus } from './options';

/** How often a line is written of how far the follower has come while it catches up. */
const reportIntervalMs = 10_000;

/** Nearer to the end than this, it does not catch up but keep up. */
const nearBlocks = 20;

/** A chain makes a block every 3 s: if none has become irreversible for so many milliseconds, the index is no longer up to date. */
const maxIdleMs = 120_000;

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
    return { ...this.current, fault: this.current.fault ?? this.findStandstill() };
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
    // A node may go back; the index does not.
    const irreversibleBlock = Math.max(head.irreversibleBlock, processedBlock);
    this.current = { ...this.current, ...head, irreversibleBlock, fault: isWell ? undefined : fault };
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

  /** A handler cannot decode an operation, and another node is asked for its block. */
  cannotDecode(fault: OperationFormatError): void {
    this.metrics.countFault(this.name);
    this.logger.error(
      { err: fault, ...fault.place },
      'a node returns an operation in a format that the handler cannot decode: another node is asked',
    );
    this.current = { ...this.current, fault };
  }

  /** A range is applied that no second node could be asked about. */
  notCompared(): void {
    this.metrics.countNotCompared(this.name);
  }

  hasFailed(fault: FatalChainError): void {
    this.current = { ...this.current, fault };
    const { block, operation } = fault.place ?? {};
    this.logger.fatal({ err: fault, block, operation }, 'the block follower has stopped');
  }

  /** A leader that has nothing to do for minutes has not caught up: its nodes no longer follow the chain, or hide it. */
  private findStandstill(): Error | undefined {
    const { role, processedBlock, processedAt, irreversibleBlock } = this.current;
    if (role !== 'leader' || processedBlock === undefined || processedAt === undefined) return undefined;
    const isIdle = irreversibleBlock !== undefined && processedBlock >= irreversibleBlock;
    if (!isIdle || Date.now() - processedAt.getTime() < maxIdleMs) return undefined;
    return new Error(`No block after ${processedBlock} has become irreversible since ${processedAt.toISOString()}`);
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
