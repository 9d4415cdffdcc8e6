/** Runs work one run after another. Calls during a run share the next one, which begins after all of them. */
export class SharedRuns<Result> {
  /** Settles when the current run is done. */
  private running: Promise<unknown> = Promise.resolve();
  /** The next run, if it has not begun. */
  private queued: Promise<Result> | undefined;

  constructor(private readonly work: () => Promise<Result>) {}

  run(): Promise<Result> {
    if (this.queued !== undefined) return this.queued;
    const queued = this.running.then(() => {
      this.queued = undefined;
      return this.work();
    });
    this.running = queued.catch(() => undefined);
    this.queued = queued;
    return queued;
  }
}
