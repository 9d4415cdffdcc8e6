export interface BackoffBounds {
  /** Upper limit of the first pause. Each further pause doubles the limit, up to `maxMs`. */
  firstMs: number;
  maxMs: number;
}

export interface BackoffOptions extends BackoffBounds {
  /** A connection that lasted this long counts as a success: the next pause is a first one. */
  resetAfterMs: number;
}

export const defaultBackoff: BackoffOptions = { firstMs: 500, maxMs: 30_000, resetAfterMs: 10_000 };

/**
 * Pauses between attempts to connect, or to repeat a request: each is random, from zero to a limit that doubles ("full
 * jitter"), so that the clients of an instance that was stopped do not reconnect at the same moment.
 */
export class Backoff {
  #failures = 0;

  constructor(
    private readonly bounds: BackoffBounds,
    private readonly random: () => number = Math.random,
  ) {}

  nextMs(): number {
    const maxPauseMs = Math.min(this.bounds.firstMs * 2 ** this.#failures, this.bounds.maxMs);
    this.#failures += 1;
    return this.random() * maxPauseMs;
  }

  reset(): void {
    this.#failures = 0;
  }
}

/** A pause that can be cut short. */
export class Pause {
  #end: () => void = () => undefined;

  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends the pause, if there is one. */
  skip(): void {
    this.#end();
  }
}
