/** Aborts if a chunk that was passed on is not taken within a time limit. */
export class StallGuard {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly limitMs: number,
    private readonly onStall: () => void,
  ) {}

  /** Aborted after a stall. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Passes chunks on. The time that the source takes does not count. */
  readonly observe = (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> => this.passOn(source);

  stop(): void {
    clearTimeout(this.timer);
  }

  private async *passOn(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of source) {
      this.timer = setTimeout(() => {
        this.controller.abort();
        this.onStall();
      }, this.limitMs);
      yield chunk;
      clearTimeout(this.timer);
    }
  }
}
