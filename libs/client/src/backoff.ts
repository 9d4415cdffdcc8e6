export interface BackoffBounds {
  /** The longest the first pause may be. */
  firstMs: number;
  /** The longest any pause may be. */
  mostMs: number;
  /** A connection that lasted so long was a good one: the pauses begin anew. */
  resetAfterMs: number;
}

export const defaultBackoff: BackoffBounds = { firstMs: 500, mostMs: 30_000, resetAfterMs: 10_000 };

/**
 * Pauses between attempts: each is anything from nothing to a bound that doubles ("full jitter"), so that the clients of an
 * instance that ended do not all come back in the same moment.
 */
export class Backoff {
  #failures = 0;

  constructor(
    private readonly bounds: Pick<BackoffBounds, 'firstMs' | 'mostMs'>,
    private readonly random: () => number = Math.random,
  ) {}

  nextMs(): number {
    const boundMs = Math.min(this.bounds.firstMs * 2 ** this.#failures, this.bounds.mostMs);
    this.#failures += 1;
    return this.random() * boundMs;
  }

  reset(): void {
    this.#failures = 0;
  }
}
