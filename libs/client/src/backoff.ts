export interface BackoffBounds {
  /** Bound of the first pause. */
  firstMs: number;
  /** Bound of all pauses. */
  maxMs: number;
  /** The bound is reset after a connection of this duration. */
  resetAfterMs: number;
}

export const defaultBackoff: BackoffBounds = { firstMs: 500, maxMs: 30_000, resetAfterMs: 10_000 };

/**
 * Pauses between attempts: each is random, from zero to a bound that doubles ("full jitter"), so that the clients of an
 * instance that was stopped do not reconnect at the same moment.
 */
export class Backoff {
  #failures = 0;

  constructor(
    private readonly bounds: Pick<BackoffBounds, 'firstMs' | 'maxMs'>,
    private readonly random: () => number = Math.random,
  ) {}

  nextMs(): number {
    const boundMs = Math.min(this.bounds.firstMs * 2 ** this.#failures, this.bounds.maxMs);
    this.#failures += 1;
    return this.random() * boundMs;
  }

  reset(): void {
    this.#failures = 0;
  }
}
