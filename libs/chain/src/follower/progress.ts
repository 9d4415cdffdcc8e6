import { type HeadBlocks } from './reading/agreed-irreversible-block';
import { BlockRate } from './block-rate';
import { type Checkpoint } from './writing/checkpoint';
import { type FatalChainError, type OperationFormatError } from './errors';
import { isContradiction } from './error-kinds';
import { type FollowedBlock } from './followed-block';
import { type FollowerObserver, type ObserveFollower } from './follower-observer';
import { type FollowerRole, type FollowerStatus } from './options';

/** The chain makes a block every 3 s. An index without a new irreversible block for this time is out of date. */
const maxIdleMs = 120_000;

/** The state after a success. */
const noError = { error: undefined, isContradicted: false };

/** Tracks where a follower is, and reports it to its observer. */
export class Progress {
  private current: Omit<FollowerStatus, 'blocksPerSecond'> = {
    role: 'waiting',
    headBlock: undefined,
    irreversibleBlock: undefined,
    processedBlock: undefined,
    processedBlockTime: undefined,
    processedAt: undefined,
    error: undefined,
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
    return { ...this.current, blocksPerSecond, error: this.current.error ?? this.findStandstill() };
  }

  setRole(role: FollowerRole): void {
    if (role === this.current.role) return;
    // A connection to the database resolves the earlier error.
    const isConnected = role === 'leader' || role === 'standby';
    this.current = { ...this.current, role, ...(isConnected && noError) };
    if (role === 'leader') this.rate.start();
    this.observer.onRole(role);
  }

  updateHead(head: HeadBlocks): void {
    const { processedBlock = -1 } = this.current;
    const isCaughtUp = processedBlock >= head.irreversibleBlock;
    // A node may report an earlier block than before; the index does not go back.
    const irreversibleBlock = Math.max(head.irreversibleBlock, processedBlock);
    this.current = { ...this.current, ...head, irreversibleBlock, ...(isCaughtUp && noError) };
  }

  updateCheckpoint({ number, timestamp, appliedAt }: Checkpoint): void {
    const processed = { processedBlock: number, processedBlockTime: timestamp, processedAt: appliedAt };
    this.current = { ...this.current, ...processed };
  }

  recordApplied(blocks: readonly FollowedBlock[]): void {
    const last = blocks.at(-1);
    if (last === undefined) return;
    this.updateCheckpoint({ ...last, appliedAt: new Date() });
    this.current = { ...this.current, ...noError };
    this.rate.add(blocks.length);
    this.observer.onApplied(blocks.length);
  }

  /** The follower tries again after a pause. */
  recordRetry(reason: unknown): void {
    const contradicts = isContradiction(reason);
    this.observer.onRetry(reason, contradicts);
    const error = reason instanceof Error ? reason : new Error('unknown', { cause: reason });
    // A contradiction stays reported while nodes do not respond.
    const isContradicted = this.current.isContradicted || contradicts;
    this.current = { ...this.current, error, isContradicted };
  }

  /** A handler cannot decode an operation; its block is read from another node. */
  recordUndecodable(error: OperationFormatError): void {
    this.observer.onUndecodable(error);
    this.current = { ...this.current, error };
  }

  /** A range is applied that no second node could confirm. */
  recordNotCompared(): void {
    this.observer.onNotCompared();
  }

  recordStop(error: FatalChainError): void {
    this.current = { ...this.current, error };
    this.observer.onStop(error);
  }

  /** A leader without new blocks for minutes has not caught up: its nodes no longer follow the chain, or hide it. */
  private findStandstill(): Error | undefined {
    const { role, processedBlock, processedAt, irreversibleBlock } = this.current;
    if (role !== 'leader' || processedBlock === undefined || processedAt === undefined) return undefined;
    const isIdle = irreversibleBlock !== undefined && processedBlock >= irreversibleBlock;
    if (!isIdle || Date.now() - processedAt.getTime() < maxIdleMs) return undefined;
    return new Error(`No block after ${processedBlock} has become irreversible since ${processedAt.toISOString()}`);
  }
}
