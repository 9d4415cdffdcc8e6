/** A process or server that a command has started. */
export interface Part {
  stop: () => Promise<unknown>;
  /** Ends it without good order. */
  kill?: () => Promise<unknown>;
}

/** All that runs for a command. Whatever is kept here is ended with the command, the last one first. */
export class Running {
  readonly #parts: Part[] = [];
  readonly #stop = new AbortController();
  /** Rejects when somebody has asked the command to end. */
  readonly stopped: Promise<never>;

  constructor() {
    this.stopped = new Promise((_resolve, reject) => {
      this.signal.addEventListener('abort', () => {
        reject(new StoppedError());
      });
    });
    // Not waiting for it is no fault.
    this.stopped.catch(() => undefined);
  }

  /** Aborted when somebody has asked the command to end. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  keep<T extends Part>(part: T): T {
    this.#parts.push(part);
    return part;
  }

  /** Ends a part before the command does. */
  async end(part: Part): Promise<void> {
    await part.stop();
    this.#parts.splice(this.#parts.indexOf(part), 1);
  }

  /** What is waited for now rejects. */
  stop(): void {
    this.#stop.abort(new StoppedError());
  }

  async endAll(): Promise<void> {
    for (let part = this.#parts.at(-1); part !== undefined; part = this.#parts.at(-1)) {
      await part.stop();
      this.#parts.pop();
    }
  }

  /** Waits for good order no longer. */
  hurry(): void {
    for (const part of this.#parts) void part.kill?.();
  }
}

/** Somebody has asked the command to end. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';

  constructor() {
    super('Stopped.');
  }
}
