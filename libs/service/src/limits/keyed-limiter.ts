import { ConcurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter';

/** A `ConcurrencyLimiter` for each key that has tasks. */
export class KeyedLimiter {
  private readonly limiters = new Map<string, ConcurrencyLimiter>();

  /** @param rejection as for `ConcurrencyLimiter` */
  constructor(
    private readonly limits: ConcurrencyLimits,
    private readonly rejection?: () => Error,
  ) {}

  /** Number of keys that have running or queued tasks. */
  get size(): number {
    return this.limiters.size;
  }

  /**
   * Runs the task when a slot of its key is free.
   *
   * @param maxRunning for this key; by default as for all
   * @throws the `rejection` if the queue is full or the wait too long; and what the task throws
   */
  async run<T>(key: string, task: () => Promise<T>, maxRunning = this.limits.maxRunning): Promise<T> {
    const limiter = this.limiters.get(key) ?? new ConcurrencyLimiter({ ...this.limits, maxRunning }, this.rejection);
    this.limiters.set(key, limiter);
    try {
      return await limiter.run(task);
    } finally {
      if (limiter.isIdle) this.limiters.delete(key);
    }
  }
}
