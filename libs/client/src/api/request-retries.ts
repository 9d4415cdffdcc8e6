import { Backoff, type BackoffBounds, defaultBackoff, Pause } from '../backoff';
import { type EndedError, RejectedError, UnreachableError } from '../errors';

/** Repeats REST requests while the service is unreachable, overloaded or limits their rate. */
export class RequestRetries {
  readonly #pauses = new Set<Pause>();

  /** @param ended returns why the chat ended, if it did */
  constructor(
    private readonly bounds: BackoffBounds = defaultBackoff,
    private readonly ended: () => EndedError | undefined = () => undefined,
  ) {}

  /** Repeats a request until it succeeds. @throws EndedError, and errors that a retry cannot resolve */
  async run<T>(request: () => Promise<T>): Promise<T> {
    const backoff = new Backoff(this.bounds);
    for (;;) {
      this.#throwIfEnded();
      try {
        return await request();
      } catch (error) {
        this.#throwIfEnded();
        if (!isTemporary(error)) throw error;
        const retryAfterMs = error instanceof RejectedError ? error.retryAfterMs : undefined;
        await this.#wait(Math.max(backoff.nextMs(), retryAfterMs ?? 0));
      }
    }
  }

  /** Ends all pauses. */
  skip(): void {
    for (const pause of this.#pauses) pause.skip();
  }

  async #wait(ms: number): Promise<void> {
    const pause = new Pause();
    this.#pauses.add(pause);
    await pause.wait(ms);
    this.#pauses.delete(pause);
  }

  #throwIfEnded(): void {
    const ended = this.ended();
    if (ended !== undefined) throw ended;
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof RejectedError)
    return error.retryAfterMs !== undefined || error.code === 'unavailable' || error.code === 'rate-limited';
  return error instanceof UnreachableError;
}
