import { Backoff, type BackoffBounds } from './backoff';
import { type EndedError, RefusedError, UnreachableError } from './errors';
import { Pause } from './pause';

/** Asks over REST again and again until the service answers. */
export class Retries {
  readonly #pauses = new Set<Pause>();

  /** @param over why there is nothing more to ask for, where that is so */
  constructor(
    private readonly bounds: BackoffBounds,
    private readonly over: () => EndedError | undefined,
  ) {}

  /** @throws EndedError, and what asking again is of no use for */
  async untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    const backoff = new Backoff(this.bounds);
    for (;;) {
      this.#requireLife();
      try {
        return await ask();
      } catch (error) {
        this.#requireLife();
        if (!mayHelp(error)) throw error;
        const retryAfterMs = error instanceof RefusedError ? error.retryAfterMs : undefined;
        await this.#wait(Math.max(backoff.nextMs(), retryAfterMs ?? 0));
      }
    }
  }

  /** Nobody waits any longer before asking again. */
  skip(): void {
    for (const pause of this.#pauses) pause.skip();
  }

  async #wait(ms: number): Promise<void> {
    const pause = new Pause();
    this.#pauses.add(pause);
    await pause.wait(ms);
    this.#pauses.delete(pause);
  }

  #requireLife(): void {
    const over = this.over();
    if (over !== undefined) throw over;
  }
}

/** Whether the service is away, or cannot answer just now. */
function mayHelp(error: unknown): boolean {
  if (error instanceof RefusedError)
    return error.retryAfterMs !== undefined || error.code === 'unavailable' || error.code === 'rate-limited';
  return error instanceof UnreachableError;
}
