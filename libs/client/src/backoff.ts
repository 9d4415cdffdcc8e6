export interface BackoffBounds {
  /** Upper limit of the first pause. Each further pause doubles it. */
  firstMs: number;
  /** The upper limit is never above this. */
  maxMs: number;
}

export interface BackoffOptions extends BackoffBounds {
  /** After a connection that lasted this long, the upper limit is that of the first pause again. */
  resetAfterMs: number;
}

export const defaultBackoff: BackoffOptions = { firstMs: 500, maxMs: 30_000, resetAfterMs: 10_000 };

/**
 * Pauses between attempts to connect, or to repeat a request: each is random, from zero to a limit that doubles ("full jitter"), so that
 * the clients of an instance that was stopped do not reconnect at the same moment.
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
