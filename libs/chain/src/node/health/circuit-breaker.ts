/** Pauses before a failing node is tried again, in milliseconds: the first one and the maximum. */
export interface Pauses {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Pauses after failed reads. They are short, because a trial is a copy of a read, and no caller waits for it. */
export const readPauses: Pauses = { firstMs: 1_000, maxMs: 5_000 };

/** Pauses after failed writes. They are longer: a write is sent once, so the caller of the trial pays if it fails. */
export const writePauses: Pauses = { firstMs: 5_000, maxMs: 60_000 };

/** `half-open`: the pause is over, and one call may try the node. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * Circuit breaker for calls of one kind to one node. A single `fail()` opens it; `NodeHealth` decides after how many
 * failures it is called (`failuresToEject`). A failed read is repeated on another node, and trials cost no caller
 * anything, so a node that rarely fails loses little. Times are of one monotonic clock.
 */
export class CircuitBreaker {
  private failures = 0;
  private failedAtMs = -Infinity;
  private openUntilMs = -Infinity;
  private hasTrial = false;

  constructor(private readonly pauses: Pauses) {}

  get pausedUntilMs(): number {
    return this.openUntilMs;
  }

  get isClosed(): boolean {
    return this.failures === 0;
  }

  /** Whether a trial is running. */
  get isOnTrial(): boolean {
    return this.hasTrial;
  }

  stateAt(nowMs: number): BreakerState {
    if (this.isClosed) return 'closed';
    return nowMs < this.openUntilMs ? 'open' : 'half-open';
  }

  /** Starts a trial if the pause is over and none is running. @returns whether it did */
  startTrial(nowMs: number): boolean {
    if (this.hasTrial || this.stateAt(nowMs) !== 'half-open') return false;
    this.hasTrial = true;
    return true;
  }

  endTrial(): void {
    this.hasTrial = false;
  }

  /**
   * Each failure after a pause doubles the next pause. Failures during a pause do not: their calls began before it.
   *
   * @param minPauseMs such as from `Retry-After`
   * @returns whether it was closed
   */
  fail(nowMs: number, minPauseMs = 0): boolean {
    const wasClosed = this.isClosed;
    if (nowMs >= this.openUntilMs) {
      this.failures += 1;
      this.failedAtMs = nowMs;
      this.openUntilMs = nowMs + Math.min(this.pauses.firstMs * 2 ** (this.failures - 1), this.pauses.maxMs);
    }
    this.openUntilMs = Math.max(this.openUntilMs, nowMs + minPauseMs);
    return wasClosed;
  }

  /**
   * @param startedMs a call that began before the last failure does not close it
   * @returns whether it was open
   */
  succeed(startedMs: number): boolean {
    if (this.isClosed || startedMs < this.failedAtMs) return false;
    this.failures = 0;
    this.openUntilMs = -Infinity;
    return true;
  }
}
