/** How long a failing node is put aside, in milliseconds: the first time, and at the most. */
export interface Pauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** `lagging`: answers, but its head block is behind that of the others. `aside`: failed lately. */
export type NodeState = 'usable' | 'lagging' | 'aside';

/** What is known of one node: whether to try it before the others. Times are of the client's monotonic clock. */
export class NodeHealth {
  private lastHeadBlock: number | undefined;
  private isLagging = false;
  private failures = 0;
  private failedAtMs = -Infinity;
  private asideUntilMs = -Infinity;

  constructor(private readonly pauses: Pauses) {}

  /** Number of its head block when it was last asked for it. */
  get headBlock(): number | undefined {
    return this.lastHeadBlock;
  }

  stateAt(nowMs: number): NodeState {
    if (nowMs < this.asideUntilMs) return 'aside';
    return this.isLagging ? 'lagging' : 'usable';
  }

  /** Nothing else ends a lag: an answer alone does not show that the node has caught up. */
  sawHead(block: number, isLagging: boolean): void {
    this.lastHeadBlock = block;
    this.isLagging = isLagging;
  }

  /** Each failure after a pause doubles the next pause. Those during one do not: they are of calls made before. */
  failed(nowMs: number): void {
    if (nowMs < this.asideUntilMs) return;
    this.failures += 1;
    this.failedAtMs = nowMs;
    this.asideUntilMs = nowMs + Math.min(this.pauses.firstMs * 2 ** (this.failures - 1), this.pauses.longestMs);
  }

  /** @param askedAtMs a call from before the last failure says nothing about the time after it. */
  answered(askedAtMs: number): void {
    if (askedAtMs < this.failedAtMs) return;
    this.failures = 0;
    this.asideUntilMs = -Infinity;
  }

  /**
   * Negative if this node is to be tried before the other. A lagging node goes before one that is aside: it answers.
   * A node whose pause is over goes behind those that never failed, until a look at its head shows it well.
   */
  compare(other: NodeHealth, nowMs: number): number {
    return (
      ranks[this.stateAt(nowMs)] - ranks[other.stateAt(nowMs)] ||
      this.failures - other.failures ||
      // Only of use where both are aside; two that never failed are equal, not Infinity apart.
      (this.failures === 0 ? 0 : this.asideUntilMs - other.asideUntilMs)
    );
  }
}

const ranks: Readonly<Record<NodeState, number>> = { usable: 0, lagging: 1, aside: 2 };
