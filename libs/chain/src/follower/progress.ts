import { type HeadBlocks } from './agreed-head';
import { type Checkpoint } from './checkpoint';
import { type FatalChainError, type OperationFormatError } from './errors';
import { allContradict } from './faults';
import { type FollowedBlock } from './followed-block';
import { type FollowerObserver, type ObserveFollower } from './follower-observer';
import { type FollowerRole, type FollowerStatus } from './options';

/** How often a line is written of how far the follower has come while it catches up. */
const reportIntervalMs = 10_000;

/** Nearer to the end than this, it does not catch up but keep up. */
const nearBlocks = 20;

/** A chain makes a block every 3 s: if none has become irreversible for so many milliseconds, the index is no longer up to date. */
const maxIdleMs = 120_000;

/** Tracks where a follower is, and reports it to its observer. */
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
  private readonly observer: FollowerObserver;
  private reportedAtMs = performance.now();
  private blocksSinceReport = 0;

  /** @param endBlock Infinity if there is none */
  constructor(
    name: string,
    observe: ObserveFollower,
    private readonly endBlock: number,
  ) {
    this.observer = observe(name, () => ({ ...this.current, endBlock }));
  }

  status(): FollowerStatus {
    return { ...this.current, fault: this.current.fault ?? this.findStandstill() };
  }

  take(role: FollowerRole): void {
    if (role === this.current.role) return;
    // To have a connection again is what was waited for.
    const fault = role === 'leader' || role === 'standby' ? undefined : this.current.fault;
    this.current = { ...this.current, role, fault };
    this.observer.onRole(role);
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
    this.observer.onApplied(blocks.length);
    this.blocksSinceReport += blocks.length;
    this.report(last.number);
  }

  /** Something is away, and is waited for. */
  isHeldUp(fault: unknown): void {
    this.observer.onRetry(fault, allContradict(fault));
    this.current = { ...this.current, fault: fault instanceof Error ? fault : new Error('unknown', { cause: fault }) };
  }

  /** A handler cannot decode an operation, and another node is asked for its block. */
  cannotDecode(fault: OperationFormatError): void {
    this.observer.onUndecodable(fault);
    this.current = { ...this.current, fault };
  }

  /** A range is applied that no second node could be asked about. */
  notCompared(): void {
    this.observer.onNotCompared();
  }

  hasFailed(fault: FatalChainError): void {
    this.current = { ...this.current, fault };
    this.observer.onStop(fault);
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
    this.observer.onCatchUp({ block, target, blocksPerSecond });
  }
}
