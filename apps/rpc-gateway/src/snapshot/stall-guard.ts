/** A stage of a pipeline that aborts if the next stage does not ask for more within a time limit. */
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

  /** Waiting for the source is not limited. */
  readonly stage = (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> => this.passOn(source);

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
