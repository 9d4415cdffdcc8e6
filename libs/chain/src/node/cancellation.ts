/** `superseded`: another node responded. `timeout`: the time for the whole call is over. */
export type CancelReason = 'superseded' | 'timeout';

/** Cancels running calls. Unlike an `AbortSignal`, it costs a fast call no measurable time. */
export class Cancellation {
  private reasonOrNone: CancelReason | undefined;
  private readonly running = new Set<() => void>();

  /** The reason of the cancellation; undefined until then. */
  get reason(): CancelReason | undefined {
    return this.reasonOrNone;
  }

  /** Cancels all running calls, and those that begin later. */
  cancel(reason: CancelReason): void {
    this.reasonOrNone ??= reason;
    for (const end of this.running) end();
  }

  add(end: () => void): void {
    this.running.add(end);
    if (this.reasonOrNone !== undefined) end();
  }

  delete(end: () => void): void {
    this.running.delete(end);
  }
}
