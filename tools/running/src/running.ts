import { PlainError } from './plain-error';

/** A process or server that a command started. */
export interface Part {
  /** May return a promise. */
  stop: () => unknown;
  /** Ends it without a shutdown. */
  kill?: () => Promise<unknown>;
}

/** The parts that a command started. They end with the command, the last one first. */
export class Running {
  private readonly parts = new Set<Part>();
  private readonly controller = new AbortController();
  /** Rejects when the command is asked to stop. */
  readonly stopped: Promise<never>;

  constructor() {
    this.stopped = new Promise((_resolve, reject) => {
      this.signal.addEventListener('abort', () => {
        reject(this.controller.signal.reason as Error);
      });
    });
    // No rejection is unhandled if no one awaits it.
    this.stopped.catch(() => undefined);
  }

  /** Aborted when the command is asked to stop. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Registers a part, which ends with the command. */
  use<T extends Part>(part: T): T {
    this.parts.add(part);
    return part;
  }

  /** Ends a part before the command does. */
  async end(part: Part): Promise<void> {
    await part.stop();
    this.parts.delete(part);
  }

  /** Rejects `stopped` and aborts `signal`. Only the first reason counts. */
  stop(reason: Error = new StoppedError()): void {
    this.controller.abort(reason);
  }

  async endAll(): Promise<void> {
    const lastPart = () => [...this.parts].at(-1);
    for (let part = lastPart(); part !== undefined; part = lastPart()) await this.end(part);
  }

  /** Kills the parts that are still shutting down. */
  killAll(): void {
    for (const part of this.parts) void part.kill?.();
  }
}

/** The command was asked to stop. */
export class StoppedError extends PlainError {
  constructor() {
    super('Stopped.');
  }
}
