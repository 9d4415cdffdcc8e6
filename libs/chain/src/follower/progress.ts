import { type HeadBlocks } from './agreed-head';
import { BlockRate } from './block-rate';
import { type Checkpoint } from './checkpoint';
import { type FatalChainError, type OperationFormatError } from './errors';
import { allContradict } from './faults';
import { type FollowedBlock } from './followed-block';
import { type FollowerObserver, type ObserveFollower } from './follower-observer';
import { type FollowerRole, type FollowerStatus } from './options';

/** A chain makes a block every 3 s: if none has become irreversible for so many milliseconds, the index is no longer up to date. */
const maxIdleMs = 120_000;

/** The state after a success. */
const wellState = { fault: undefined, isContradicted: false };

/** Tracks where a follower is, and reports it to its observer. */
export class Progress {
  private current: Omit<FollowerStatus, 'blocksPerSecond'> = {
    role: 'waiting',
    headBlock: undefined,
    irreversibleBlock: undefined,
    processedBlock: undefined,
    processedBlockTime: undefined,
    processedAt: undefined,
    fault: undefined,
    isContradicted: false,
  };
  private readonly observer: FollowerObserver;
  private readonly rate = new BlockRate();

  /** @param endBlock Infinity if there is none */
  constructor(name: string, observe: ObserveFollower, endBlock: number) {
    this.observer = observe(name, () => ({ ...this.status(), endBlock }));
  }

  status(): FollowerStatus {
    const blocksPerSecond = this.rate.perSecond;
    return { ...this.current, blocksPerSecond, fault: this.current.fault ?? this.findStandstill() };
  }

  take(role: FollowerRole): void {
    if (role === this.current.role) return;
    // To have a connection again is what was waited for.
    const isConnected = role === 'leader' || role === 'standby';
    this.current = { ...this.current, role, ...(isConnected && wellState) };
    if (role === 'leader') this.rate.start();
    this.observer.onRole(role);
  }

  sawHead(head: HeadBlocks): void {
    const { processedBlock = -1 } = this.current;
    const isWell = processedBlock >= head.irreversibleBlock;
    // A node may go back; the index does not.
    const irreversibleBlock = Math.max(head.irreversibleBlock, processedBlock);
    this.current = { ...this.current, ...head, irreversibleBlock, ...(isWell && wellState) };
  }

  sawCheckpoint({ number, timestamp, appliedAt }: Checkpoint): void {
    const processed = { processedBlock: number, processedBlockTime: timestamp, processedAt: appliedAt };
    this.current = { ...this.current, ...processed };
  }

  applied(blocks: readonly FollowedBlock[]): void {
    const last = blocks.at(-1);
    if (last === undefined) return;
    this.sawCheckpoint({ ...last, appliedAt: new Date() });
    this.current = { ...this.current, ...wellState };
    this.rate.add(blocks.length);
    this.observer.onApplied(blocks.length);
  }

  /** Something is away, and is waited for. */
  isHeldUp(fault: unknown): void {
    const isContradiction = allContradict(fault);
    this.observer.onRetry(fault, isContradiction);
    const error = fault instanceof Error ? fault : new Error('unknown', { cause: fault });
    // Nodes that then do not respond do not resolve a contradiction.
    const isContradicted = this.current.isContradicted || isContradiction;
    this.current = { ...this.current, fault: error, isContradicted };
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
}
