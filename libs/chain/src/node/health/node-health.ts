import { type CallKind } from '../call-kind';
import { CallList, type ListedCall } from '../call-list';
import { CircuitBreaker, type Pauses, writePauses } from './circuit-breaker';
import { type HeadPosition } from './head-comparison';
import { PeakLatency } from './peak-latency';

/**
 * `lagging`, `ahead`: responds, but its head does not agree with the other nodes. `ejected`: has recently failed calls
 * of some kind.
 */
export type NodeState = 'usable' | Exclude<HeadPosition, 'current'> | 'ejected';

/** A change that is worth a line in the log. */
export interface NodeChange {
  /** Host and port. */
  readonly node: string;
  readonly change: 'ejected' | 'restored' | 'lagging' | 'ahead' | 'synced';
  /** The calls that the node no longer gets, or gets again; `head` if its head block changed its state. */
  readonly kinds: readonly CallKind[];
  /** Such as `timeout` or `http-status (503)`; nothing secret. */
  readonly reason?: string;
}

export interface HealthOptions {
  /** Pauses after failed reads, before a node is tried again. */
  readonly pauses: Pauses;
  readonly now: () => number;
  readonly onChange?: ((change: NodeChange) => void) | undefined;
}

/** How a call failed. */
export interface CallFailure {
  readonly reason: string;
  /** Whether calls of every kind would fail, as without a connection or beyond a rate limit. */
  readonly isOfWholeNode?: boolean;
  /** Whether the call itself may be the reason, as with a timeout: only `failuresToEject` in a row eject the node. */
  readonly isUncertain?: boolean;
  /** The minimum pause before the node is tried again, such as from the header `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
}

/** Maximum `retryAfterMs`: a wrong value of a node must not put it out of use. */
const maxRetryAfterMs = 300_000;

/** Differences of latency below this, in milliseconds, are noise between two nodes. */
const minLatencyMs = 10;

/**
 * Number of failures in a row that eject a node if the calls themselves may be at fault: one caller's calls must not
 * eject it for all others. Other failures eject it at once.
 */
const failuresToEject = 3;

interface KindHealth {
  /** Failures since the last success. */
  failuresInARow: number;
  readonly breaker: CircuitBreaker;
  readonly latency: PeakLatency;
  readonly running: CallList<RunningCall>;
  /** The call that tries the node after a pause. */
  trial: RunningCall | undefined;
}

/** Tracks by kind of call whether a node responds, and how fast. */
export class NodeHealth {
  private readonly kinds = new Map<CallKind, KindHealth>();
  private lastHeadBlock: number | undefined;
  private position: HeadPosition = 'current';
  private running = 0;
  /** End of the pause after a failure of the whole node. Kinds first called during the pause start paused. */
  private wholeNodePausedUntilMs = -Infinity;

  /** @param node host and port */
  constructor(
    private readonly node: string,
    private readonly options: HealthOptions,
  ) {}

  /** The head block that the node last reported; undefined before the first report. */
  get headBlock(): number | undefined {
    return this.lastHeadBlock;
  }

  get state(): NodeState {
    for (const { breaker } of this.kinds.values()) if (!breaker.isClosed) return 'ejected';
    return this.stateOfHead;
  }

  /** Returns the state for calls of one kind: a node may be ejected for some kinds only. */
  stateFor(kind: CallKind): NodeState {
    return this.of(kind).breaker.isClosed ? this.stateOfHead : 'ejected';
  }

  /** The time when the node may be tried again, by the clock of the options. */
  pausedUntilMs(kind: CallKind): number {
    return this.of(kind).breaker.pausedUntilMs;
  }

  /** Expected latency times the calls that run. A call that runs already longer than expected counts as that slow. */
  cost(kind: CallKind): number {
    return this.latencyMs(kind) * (this.running + 1);
  }

  latencyMs(kind: CallKind): number {
    const nowMs = this.options.now();
    const { latency, running } = this.of(kind);
    const oldestMs = running.oldest === undefined ? 0 : nowMs - running.oldest.startedMs;
    return Math.max(minLatencyMs, latency.estimateMs(nowMs), oldestMs);
  }

  /** Whether the latency of calls of this kind is known from long ago only. */
  isLatencyStale(kind: CallKind): boolean {
    const { latency, running } = this.of(kind);
    return running.oldest === undefined && latency.isStale(this.options.now());
  }

  /**
   * Starts a trial if the pause is over and none is running. The next call of this kind is the trial. @returns whether
   * it did
   */
  startTrial(kind: CallKind): boolean {
    return this.of(kind).breaker.startTrial(this.options.now());
  }

  /** Counts a call as running until one of the methods of the `RunningCall` is called. */
  begin(kind: CallKind): RunningCall {
    this.running += kind === 'head' ? 0 : 1;
    const call = new RunningCall(this, kind, this.options.now());
    const health = this.of(kind);
    health.running.add(call);
    if (health.breaker.isOnTrial) health.trial ??= call;
    return call;
  }

  /**
   * Records the head block, and how it compares with the heads of the other nodes. Only this ends a lag: a response to
   * another call does not show that the node has caught up.
   */
  recordHead(block: number, position: HeadPosition): void {
    this.lastHeadBlock = block;
    if (position === this.position) return;
    this.position = position;
    this.notify(position === 'current' ? 'synced' : position, ['head'], `head block ${block}`);
  }

  /**
   * Stops counting a call as running, and ends its trial.
   *
   * @param isLatencyKnown whether the time that it took says how slow the node is
   * @returns whether it was running
   */
  end(call: RunningCall, isLatencyKnown: boolean): boolean {
    const health = this.of(call.kind);
    if (!health.running.delete(call)) return false;
    this.running -= call.kind === 'head' ? 0 : 1;
    if (health.trial === call) {
      health.trial = undefined;
      health.breaker.endTrial();
    }
    const nowMs = this.options.now();
    if (isLatencyKnown) health.latency.observe(nowMs - call.startedMs, nowMs);
    return true;
  }

  recordSuccess({ kind, startedMs }: RunningCall): void {
    const health = this.of(kind);
    health.failuresInARow = 0;
    if (health.breaker.succeed(startedMs)) this.notify('restored', [kind]);
  }

  /** Counts a failed call, or a result that was found to be wrong later, against calls of a kind or the whole node. */
  recordFailure(
    kind: CallKind,
    { reason, isOfWholeNode = false, isUncertain = false, retryAfterMs = 0 }: CallFailure,
  ): void {
    const health = this.of(kind);
    health.failuresInARow += 1;
    if (isUncertain && health.failuresInARow < failuresToEject && this.stateFor(kind) !== 'ejected') return;
    const nowMs = this.options.now();
    const minPauseMs = Math.min(retryAfterMs, maxRetryAfterMs);
    const ejected: CallKind[] = [];
    for (const [each, { breaker }] of this.kinds)
      if ((each === kind || isOfWholeNode) && breaker.fail(nowMs, minPauseMs)) ejected.push(each);
    if (isOfWholeNode) {
      const pausedUntilMs = nowMs + Math.max(minPauseMs, this.options.pauses.firstMs);
      this.wholeNodePausedUntilMs = Math.max(this.wholeNodePausedUntilMs, pausedUntilMs);
    }
    if (ejected.length > 0) this.notify('ejected', ejected, reason);
  }

  private get stateOfHead(): Exclude<NodeState, 'ejected'> {
    return this.position === 'current' ? 'usable' : this.position;
  }

  private of(kind: CallKind): KindHealth {
    const known = this.kinds.get(kind);
    if (known !== undefined) return known;
    const breaker = new CircuitBreaker(kind === 'write' ? writePauses : this.options.pauses);
    const nowMs = this.options.now();
    if (nowMs < this.wholeNodePausedUntilMs) breaker.fail(nowMs, this.wholeNodePausedUntilMs - nowMs);
    const health: KindHealth = {
      failuresInARow: 0,
      breaker,
      latency: new PeakLatency(),
      running: new CallList(),
      trial: undefined,
    };
    this.kinds.set(kind, health);
    return health;
  }

  private notify(change: NodeChange['change'], kinds: readonly CallKind[], reason?: string): void {
    this.options.onChange?.({ node: this.node, change, kinds, ...(reason === undefined ? {} : { reason }) });
  }
}

/** A call that `NodeHealth` counts as running until one of its methods is called. Calling another then does nothing. */
export class RunningCall implements ListedCall<RunningCall> {
  isListed = false;
  older: RunningCall | undefined;
  newer: RunningCall | undefined;

  constructor(
    private readonly health: NodeHealth,
    readonly kind: CallKind,
    readonly startedMs: number,
  ) {}

  /** The node responded. */
  succeeded(): void {
    if (this.health.end(this, true)) this.health.recordSuccess(this);
  }

  failed(failure: CallFailure): void {
    if (this.health.end(this, failure.isUncertain === true)) this.health.recordFailure(this.kind, failure);
  }

  /** The call was ended before the node responded: the node is at least that slow. */
  abandoned(): void {
    this.health.end(this, true);
  }

  /** The call says nothing about the node. */
  ignored(): void {
    this.health.end(this, false);
  }
}
